import type { creation as en } from '../en/creation.ts';

export const creation: typeof en = {
  createIn: 'Créer dans',
  project: 'Projet',
  tracker: 'Tracker',
  titleHint: 'Titre',
  descriptionHint: 'Décrivez-le',
  allFields: 'Tous les champs',
  fieldsHere: 'Champs affichés',
  attach: 'Joindre des fichiers',
  another: 'En créer un autre',
  create: (item) => `Créer ${item}`,
  newOne: (item) => `Nouveau : ${item}`,
  created: (xref) => `${xref} est créé`,
  open: 'Ouvrir',
  close: 'Fermer',
  discard: 'Abandonner',
  draftKept: (time) => `Brouillon gardé à ${time}`,
  lookLike: (trackerLabel) => `Ressemble à ceux-ci dans ${trackerLabel}`,
  chooseTracker: 'Choisir un tracker',
  needsNetwork: 'Le serveur est injoignable. Ce que vous avez écrit est gardé ici.',
  fieldsGone:
    'Ces champs ont été retirés du formulaire entre-temps et ne seront pas créés. Ce que vous y aviez écrit :',
  filesOnTheWay: 'Des fichiers sont encore en cours d’envoi',
  parent: 'Parent',
  files: 'Fichiers',
  required: 'Obligatoire',
};
