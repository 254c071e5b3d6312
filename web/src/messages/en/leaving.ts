export const leaving = {
  title: 'Leave without saving?',
  words: 'What you changed here is not saved.',
  leave: 'Leave',
  stay: 'Stay',
};
