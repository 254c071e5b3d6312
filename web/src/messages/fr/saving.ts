import type { saving as en } from '../en/saving.ts';

export const saving: typeof en = {
  asMine: 'Enregistrer pour moi…',
  forAll: 'Enregistrer pour tous…',
  name: 'Nom de la vue',
  nameMine: 'Enregistrer une vue personnelle',
  nameForAll: 'Enregistrer une vue pour tous',
  deleteView: 'Supprimer cette vue',
  saved: (name) => `La vue ${name} est enregistrée`,
  deleted: (name) => `La vue ${name} est supprimée`,
  cannotSaveBoth: 'Une vue a des filtres ou une requête, pas les deux',
  cannotSaveOthers: 'Seuls les administrateurs du tracker modifient cette vue',
  signInFirst: 'Connectez-vous d’abord',
  nothingToSave: 'Rien ne diffère de ce qui est enregistré',
};
