export const help = {
  title: 'Help',
  words: 'How Atelier is used, in short.',
  back: 'All help pages',
  pages: {
    'getting-in': 'How do I get in?',
    keys: 'Keys',
    search: 'Searching',
    reference: 'References',
    about: 'About Atelier',
  },
  gettingIn: [
    'Your administrator makes an account for you and gives you a link, or a name with a first password. There is no way to make one for oneself.',
    'The first administrator is called admin. The first start of the service prints the password once, where it was started; whoever runs the machine can set another one with “atelier user set admin --password”.',
    'Without a mail server nobody can send you a link for a lost password: ask an administrator for one.',
  ],
  keysWords: [
    'Ctrl K opens one box for everything: what can be done here, and what there is. A number opens the artifact of that id.',
    '? lists the keys of the page in front of you. Single letters work outside of text boxes and can be switched off in your account.',
  ],
  searchWords: [
    'Words are looked for in titles, texts, comments and names of files, without regard to case and accents, also inside of other words.',
    'Words in quotes must stand together. All words must be found; titles count most.',
  ],
  referenceWords: [
    'A word and a number in a text, such as bug #42, become a link to that artifact. art #42 works for all of them.',
    'This reference leads nowhere: there is no such thing, or you may not see it.',
  ],
  aboutWords: (version: string) => `This is Atelier ${version}. Its sources are under the MIT licence.`,
  api: 'The API and its explorer',
  controls: 'Controls',
};
