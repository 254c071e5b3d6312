export const saving = {
  asMine: 'Save as mine…',
  forAll: 'Save for everybody…',
  name: 'Name of the view',
  nameMine: 'Save a view of my own',
  nameForAll: 'Save a view for everybody',
  deleteView: 'Delete this view',
  saved: (name: string) => `The view ${name} is saved`,
  deleted: (name: string) => `The view ${name} is deleted`,
  cannotSaveBoth: 'A view has filters or a query, not both',
  cannotSaveOthers: 'Only administrators of the tracker change this view',
  signInFirst: 'Sign in first',
  nothingToSave: 'Nothing differs from what is saved',
};
