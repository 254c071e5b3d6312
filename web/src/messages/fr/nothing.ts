import type { nothing as en } from '../en/nothing.ts';

export const nothing: typeof en = {
  buildForm: 'Construire le formulaire',
  emptyName: (tracker) => `Rien encore dans ${tracker}`,
  emptyText: 'Ce qui est créé dans ce tracker apparaît ici.',
  createFirst: 'Créer le premier',
  noFields: 'Ce tracker n’a pas encore de champs',
  noFieldsText: 'Un administrateur du tracker les ajoute.',
  noFieldsAdmin: 'Ajoutez d’abord un titre, un statut et un responsable : rien ne peut être créé ici avant.',
  nothingMatches: 'Rien ne correspond',
  nothingMatchesText: (filters) => `Aucun artefact n’a ${filters}.`,
  nothingMatchesWords: 'Aucun artefact ne correspond aux filtres et aux mots.',
  wrongFilter: 'Ce filtre ne trouve rien',
  wrongFilterText: (filters) => `${filters} : cette valeur n’existe pas.`,
  removeFilter: 'Le retirer',
};
