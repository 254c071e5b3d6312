import type { editor as en } from '../en/editor.ts';

export const editor: typeof en = {
  write: 'Rédiger',
  preview: 'Aperçu',
  nothingToPreview: 'Rien à afficher',
  bold: 'Gras',
  italic: 'Italique',
  bulletList: 'Liste',
  orderedList: 'Liste numérotée',
  taskList: 'Liste de tâches',
  code: 'Code',
  link: 'Lien',
  quote: 'Citation',
  table: 'Tableau',
  mention: 'Mentionner quelqu’un',
  picture: 'Ajouter une image',
  fullScreen: 'Plein écran',
  leaveFullScreen: 'Quitter le plein écran',
  strike: 'Barré',
  undo: 'Annuler',
  redo: 'Rétablir',
};
