import type { csv as en } from '../en/csv.ts';

/** The server's words about cells, and ours for them. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(".*") is not one of its values\.$/s, '$1 n’est pas une de ses valeurs.'],
  [/^(".*") cannot be chosen here\.$/s, '$1 ne peut pas être choisi ici.'],
  [/^(".*") is not a user group of this project\.$/s, '$1 n’est pas un groupe de ce projet.'],
  [
    /^(".*") is neither a user who can be chosen nor an e-mail address\.$/s,
    '$1 n’est ni une personne qui peut être choisie ni une adresse.',
  ],
  [
    /^(".*") is no link: write ids, each with its type behind it\.$/s,
    '$1 n’est pas un lien : écrivez des numéros, chacun suivi de son type.',
  ],
  [/^The field (.+) \(.+\) is required\.$/s, '$1 est obligatoire.'],
  [/^Expecting a date such as (\S+) or (\S+)\.$/, 'Il faut une date, telle que $1 ou $2.'],
  [/^Expecting an integer\.$/, 'Il faut un nombre entier.'],
  [/^Expecting a number\.$/, 'Il faut un nombre.'],
  [/^It must have at most (\d+) characters\.$/, 'Il faut $1 caractères au plus.'],
  [/^There is no such artifact in this tracker\.$/, 'Il n’y a pas d’artefact de ce numéro dans ce tracker.'],
  [/^It must be the id of an artifact\.$/, 'Il faut le numéro d’un artefact.'],
  [/^Row (\d+) is about the same artifact\.$/, 'La ligne $1 porte sur le même artefact.'],
];

function reasonIn(told: string): string | undefined {
  const known = reasons.find(([pattern]) => pattern.test(told));
  return known === undefined ? undefined : told.replace(...known);
}

export const csv: typeof en = {
  exportTitle: 'Exporter en CSV',
  rows: 'Lignes',
  rowsSelected: (count) => `Les ${count} sélectionnées`,
  rowsSeen: (count) => `Les ${count} qui correspondent`,
  rowsAll: (count) => `Toutes les ${count} du tracker`,
  columns: 'Colonnes',
  columnsSeen: 'Comme affichées',
  columnsAll: 'Tous les champs',
  separator: 'Entre les cellules',
  separators: { comma: 'Virgule', semicolon: 'Point-virgule', tab: 'Tabulation', bar: 'Barre verticale' },
  bom: 'Marque d’ordre des octets, pour les tableurs qui ne reconnaissent pas UTF-8',
  leftOut: (labels) => `Absent du tableau : ${labels}.`,
  download: 'Télécharger',
  cancel: 'Annuler',
  import: 'Importer',
  importTitle: 'Importer un tableau',
  importHelp:
    'La première ligne nomme les colonnes. Une ligne qui a le numéro d’un artefact le modifie, toute autre en crée un. Rien n’est enregistré avant que vous ayez vu ce qui en résulterait.',
  drop: 'Déposez ici un fichier CSV',
  choose: 'Choisir un fichier',
  paste: 'Ou collez ici des lignes, d’un tableur ou d’un texte',
  takePasted: 'Regarder',
  fieldsThere: 'Colonnes qui peuvent être remplies',
  another: 'Un autre fichier',
  pasted: 'Tableau collé',
  rowCount: (count, many) => (many < 2 ? `${count} ligne` : `${count} lignes`),
  columnCount: (count, many) => (many < 2 ? `${count} colonne` : `${count} colonnes`),
  facts: (rows, columns, separator, encoding) => `${rows}, ${columns}, ${separator}, ${encoding}`,
  dateOrder: 'Jours dans le fichier',
  dateOrders: { day_first: 'Jours : jour/mois/année', month_first: 'Jours : mois/jour/année' },
  importAll: (count) => `Importer ${count}`,
  noRows: 'Le tableau n’a pas de lignes : la première nomme les colonnes.',
  tooMany: (most) => `On peut importer ${most} lignes à la fois au plus.`,
  unreadable: (line) => `Le tableau est illisible : les guillemets de la ligne ${line} ne correspondent pas.`,
  noText: (name) =>
    `${name} n’est pas un texte. Enregistrez le tableau en CSV dans le programme qui l’a fait, et choisissez ce fichier.`,
  noAnswer: 'Le serveur ne répond pas.',
  goesOn:
    'Les lignes comptées comme faites sont enregistrées. Importer reprend avec celles qui restent, sans en enregistrer aucune deux fois.',
  tooLong: (rows, many) =>
    many < 2
      ? `La ligne ${rows} a plus de cellules qu’il n’y a de colonnes : celles au-delà de la dernière ne sont pas importées.`
      : `${many} lignes ont plus de cellules qu’il n’y a de colonnes, parmi elles ${rows} : les cellules au-delà de la dernière colonne ne sont pas importées.`,
  stop: 'Arrêter',
  leaveImporting:
    'Des lignes sont en cours d’enregistrement. Celles qui ne sont pas encore envoyées ne le seront pas.',
  forget: 'Prendre un autre fichier ?',
  noName: 'une colonne sans nom',
  nothingMatched: 'Aucune colonne n’est un champ de ce tracker. Dites à leur tête ce qu’elles sont.',
  checking: (done, all) => `Examen de ${done} lignes sur ${all}…`,
  importing: (done, all) => `${done} lignes sur ${all} sont enregistrées…`,
  faults: (count, many) =>
    many < 2 ? `${count} cellule ne peut être enregistrée` : `${count} cellules ne peuvent être enregistrées`,
  outcomes: {
    changed: (many) => (many < 2 ? 'change' : 'changent'),
    created: (many) => (many < 2 ? 'nouvelle' : 'nouvelles'),
    unchanged: (many) => (many < 2 ? 'telle quelle' : 'telles quelles'),
    refused: (many) => (many < 2 ? 'refusée' : 'refusées'),
  },
  done: {
    changed: (many) => (many < 2 ? 'modifiée' : 'modifiées'),
    created: (many) => (many < 2 ? 'créée' : 'créées'),
    unchanged: (many) => (many < 2 ? 'telle quelle' : 'telles quelles'),
    refused: (many) => (many < 2 ? 'refusée' : 'refusées'),
  },
  imported: (count, many) => (many < 2 ? `${count} ligne est importée` : `${count} lignes sont importées`),
  stopped:
    'Quelqu’un a modifié quelque chose entre-temps : les lignes qui restent n’ont pas été enregistrées.',
  onlyFaults: 'Erreurs seulement',
  previousFault: 'Erreur précédente',
  nextFault: 'Erreur suivante',
  faultPlace: (place, all) => `${place} sur ${all}`,
  noFault: 'Il ne reste aucune erreur',
  row: 'Ligne',
  newRow: 'nouveau',
  from: (name) => `de ${name}`,
  columnOf: (name) => `Ce qu’est ${name}`,
  leaveOut: 'Ne pas importer',
  idColumn: 'N°',
  isTaken: 'Une autre colonne l’a',
  searchFields: 'Chercher un champ',
  grid: (name) => `Lignes de ${name}`,
  faultLabel: (reason) => `Erreur : ${reason}`,
  fixed: 'Corrigé',
  changedLabel: 'Modifié',
  waits: (row) => `La ligne ${row} attend que ce soit corrigé.`,
  nearest: 'le plus proche',
  leave: (label, row) => `Laisser ${label} de la ligne ${row} tel quel`,
  edit: (label, row) => `${label} de la ligne ${row}`,
  putRight: (count, many) =>
    many < 2 ? 'Une cellule est à corriger d’abord' : `${count} cellules sont à corriger d’abord`,
  wait: 'Les lignes sont examinées',
  openTracker: (label) => `Ouvrir ${label}`,
  reason: (told) => reasonIn(told.replace(/^The value of the field .+ is not valid\. /s, '')),
  notAllowed: 'Vous ne pouvez rien enregistrer dans ce tracker.',
};
