export const leaving = {
  title: 'Leave without saving?',
  words: 'What you changed here is not saved.',
  leave: 'Leave',
  stay: 'Stay',
  beforeSaved: (count: number) =>
    count === 1
      ? 'One change is not saved yet. You are signed out as soon as it is; leaving before deletes it.'
      : `${count} changes are not saved yet. You are signed out as soon as they are; leaving before deletes them.`,
  signOutAnyway: 'Sign out anyway',
};
