/** In place of rows, where there are none. */
export const nothing = {
  buildForm: 'Build the form',
  emptyName: (tracker: string) => `No ${tracker} yet`,
  emptyText: 'What is created in this tracker is listed here.',
  createFirst: 'Create the first',
  noFields: 'This tracker has no fields yet',
  noFieldsText: 'An administrator of the tracker adds them.',
  noFieldsAdmin: 'Add a title, a status and an assignee first: until then nothing can be created here.',
  nothingMatches: 'Nothing matches',
  nothingMatchesText: (filters: string) => `No artifact has ${filters}.`,
  nothingMatchesWords: 'No artifact matches the filters and words.',
  wrongFilter: 'This filter finds nothing',
  wrongFilterText: (filters: string) => `${filters}: there is no such value.`,
  removeFilter: 'Remove it',
};
