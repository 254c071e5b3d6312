import type { people as en } from '../en/people.ts';

export const people: typeof en = {
  did: { created: 'a créé', changed: 'a modifié', commented: 'a commenté', committed: 'a validé' },
  person: 'Personne',
  login: 'Nom d’utilisateur',
  mail: 'Courriel',
  inCommon: 'Projets en commun',
  noneInCommon: 'Aucun.',
  itsYou: 'C’est vous.',
  yourAccount: 'Votre compte',
};
