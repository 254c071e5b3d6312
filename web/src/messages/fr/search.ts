import type { search as en } from '../en/search.ts';

export const search: typeof en = {
  title: 'Recherche',
  words: 'Mots',
  placeholder: 'Mots à chercher',
  button: 'Rechercher',
  hint: 'Les mots sont cherchés dans les titres, textes, commentaires et noms de fichiers, aussi à l’intérieur d’autres mots. Entre guillemets, ils doivent se suivre.',
  empty: 'Rechercher partout',
  nothing: (words) => `Rien trouvé pour « ${words} »`,
  nothingWords: 'Essayez moins de mots, ou des parties de mots. Les guillemets les gardent ensemble.',
  tooSlow: 'Cette recherche prend trop de temps. Ajoutez un mot, ou choisissez un projet.',
  results: (count) => (count === 1 ? '1 artéfact' : `${count} artéfacts`),
  project: 'Projet',
  allProjects: 'Tous les projets',
  places: { title: 'titre', text: 'texte', comment: 'commentaire', file: 'fichier' },
  more: 'En montrer plus',
  untitled: 'Sans titre',
};
