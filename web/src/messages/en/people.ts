export const people = {
  /** Between a name and what it was done to. */
  did: { created: 'created', changed: 'changed', commented: 'commented on', committed: 'committed' },
  person: 'Person',
  login: 'User name',
  mail: 'Mail',
  inCommon: 'Projects in common',
  noneInCommon: 'None.',
  itsYou: 'This is you.',
  yourAccount: 'Your account',
};
