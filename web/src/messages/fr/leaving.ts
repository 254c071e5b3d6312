import type { leaving as en } from '../en/leaving.ts';

export const leaving: typeof en = {
  title: 'Partir sans enregistrer ?',
  words: 'Ce que vous avez modifié ici n’est pas enregistré.',
  leave: 'Partir',
  stay: 'Rester',
};
