import type { diff as en } from '../en/diff.ts';

/** What is different between two texts. */
export const diff: typeof en = {
  sideBySide: 'Côte à côte',
  oneColumn: 'Une colonne',
  added: (lines) => (lines < 2 ? `${lines} ligne ajoutée` : `${lines} lignes ajoutées`),
  removed: (lines) => (lines < 2 ? `${lines} ligne supprimée` : `${lines} lignes supprimées`),
  addedLine: 'ajoutée',
  removedLine: 'supprimée',
  unchanged: (lines) => (lines < 2 ? `${lines} ligne inchangée` : `${lines} lignes inchangées`),
  before: 'Avant',
  after: 'Après',
  same: 'Les deux textes sont identiques',
};
