import type { leaving as en } from '../en/leaving.ts';

export const leaving: typeof en = {
  title: 'Partir sans enregistrer ?',
  words: 'Ce que vous avez modifié ici n’est pas enregistré.',
  leave: 'Partir',
  stay: 'Rester',
  beforeSaved: (count) =>
    count === 1
      ? 'Un changement n’est pas encore enregistré. Vous serez déconnecté dès qu’il le sera ; partir avant l’efface.'
      : `${count} changements ne sont pas encore enregistrés. Vous serez déconnecté dès qu’ils le seront ; partir avant les efface.`,
  signOutAnyway: 'Se déconnecter quand même',
};
