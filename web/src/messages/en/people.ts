export const people = {
  person: 'Person',
  login: 'User name',
  mail: 'Mail',
  inCommon: 'Projects in common',
  noneInCommon: 'None.',
  itsYou: 'This is you.',
  yourAccount: 'Your account',
};
