export const welcome = {
  title: 'First steps',
  hello: (name: string) => `Welcome, ${name}`,
  adminWords:
    'This platform is new. A few steps make it yours; each can be skipped, and all are in the help later on.',
  words: 'Three things to know, and you are ready. They are in the help later on.',
  goOn: 'Go to my work',
  skip: 'Skip',
  skipped: 'Skipped',
  done: 'Done',
  steps: {
    demo: {
      name: 'Look at the demo project',
      words: (project: string) =>
        `${project} shows what a project can look like: trackers, artifacts with their history, people. Nobody minds what you change there.`,
      act: 'Take the tour',
    },
    project: {
      name: 'Create a project',
      words: 'A template gives it trackers with a workflow; everything can be changed afterwards.',
      act: 'New project',
    },
    people: {
      name: 'Invite people',
      words: 'Make an account and hand on its link: whoever opens it chooses a password and is in.',
      act: 'Make a link',
    },
    key: {
      name: 'Make an access key',
      words: 'Scripts and programs use the API with a key of their own instead of your password.',
      act: 'Personal API access keys',
    },
    care: {
      name: 'Mail and backup',
      words: 'Two things that are missed only when it is too late.',
      act: 'I know',
    },
    here: {
      name: 'What is here',
      words:
        'Projects hold trackers, trackers hold artifacts: bugs, tasks, requests. My work shows those that have to do with you, from all projects.',
      act: 'I know',
    },
    keys: { name: 'Three keys', words: 'All others are behind the third one.', act: 'I know' },
    projects: {
      name: 'Your projects',
      words: 'These are the ones that you are a member of.',
      none: 'You are a member of none yet. An administrator of a project can add you.',
      act: 'All projects',
    },
  },
  tour: {
    name: 'Tour of the demo',
    leave: 'Leave the tour',
    place: (step: number, length: number) => `${step} of ${length}`,
    next: 'Next',
    before: 'Back',
    end: 'Done',
    steps: [
      [
        'A project',
        'Its trackers with what is open, its repositories, its people, and what happened last. Everything else is one press away in the sidebar.',
      ],
      [
        'A tracker as a table',
        'Press a cell to change it, f to filter, j and k to go down and up, Enter to look at a row beside the table.',
      ],
      [
        'The same as a board',
        'Drag a card, or carry it with Space and arrows. Only columns that the workflow allows take it; you see which.',
      ],
      [
        'One artifact',
        'Fields are changed where they stand. Below is everything that ever happened to it; write a comment, and others hear of it.',
      ],
      [
        'Yours now',
        'Ctrl K finds anything and runs any command, ? shows the keys of a page, and the help is here. Nobody minds what you change in the demo.',
      ],
    ] as readonly (readonly [string, string])[],
    take: 'Take the tour',
    deleteDemo: 'Delete the demo',
    deleteTitle: 'Delete the demo project?',
    deleteWords:
      'It goes with everything that is in it. It can be brought back from the trash of the platform for a while.',
    deleted: 'The demo project is deleted.',
  },
  threeKeys: {
    palette: 'find anything and run any command',
    create: 'create an artifact',
    keys: 'show the keys of the page',
  },
  mailOn: 'Mails are sent: for lost passwords, and to people about what concerns them.',
  mailOff:
    'No mails are sent. Without a mail server nobody hears of changes, and lost passwords need a link from you.',
  backup: 'Backups are made by',
  backupEnd: 'on the server; let it run every night.',
  invite: {
    login: 'User name',
    loginMissing: 'Give a user name.',
    realName: 'Name (optional)',
    mail: 'Mail address (optional)',
    link: 'Link for',
    linkWords: 'Hand it on now: it is shown this once, is good for 7 days and for one use.',
    copy: 'Copy the link',
    copied: 'The link is copied',
    another: 'Invite somebody else',
  },
};
