import type { charts as english } from '../en/charts.ts';

export const charts: typeof english = {
  setStatus: 'Choisir l’état',
  noStatus: 'Les états ont besoin d’un statut',
  noStatusAdministrator: 'Choisissez le champ du statut dans la sémantique de ce tracker.',
  noStatusOthers: 'Un administrateur de ce tracker peut choisir son champ.',
  noValue: 'Sans valeur',
  artifacts: 'Artefacts',
  states: 'États au fil du temps',
  statesWords: (first, last, since) => `De ${first} à ${last} depuis le ${since}.`,
  openNow: 'Ouverts maintenant',
  openChange: (more, shown, since) =>
    more === 0 ? `Autant que le ${since}` : `${shown} de ${more > 0 ? 'plus' : 'moins'} que le ${since}`,
  flow: 'Créés et fermés',
  flowWords: (created, closed, since) => `${created} créés et ${closed} fermés depuis le ${since}.`,
  burnup: (field) => `Avancement : ${field}`,
  burnupWords: (closed, all) => `${closed} sur ${all} sont dans des artefacts fermés.`,
  burndown: (field) => `Reste à faire : ${field}`,
  burndownWords: (left, before) => `Il reste ${left} à faire, contre ${before} au début de la période.`,
  byFields: (names, sum) => `${sum === undefined ? '' : `${sum} par `}${names.join(' par ')}`,
  mostOf: (name, amount, all) => `${name} en a le plus : ${amount} sur ${all}.`,
  totals: { open: 'Ouverts', all: 'Tous' },
  flows: { created: 'Créés', closed: 'Fermés' },
  left: 'Reste',
  efforts: { all: 'Tous', closed: 'Fermés' },
  steps: { day: 'Jour', week: 'Semaine', month: 'Mois' },
  step: 'Par',
  since: 'Derniers',
  lastDays: (days) =>
    days % 365 === 0
      ? `${days / 365} an${days > 365 ? 's' : ''}`
      : days % 7 === 0
        ? `${days / 7} semaines`
        : `${days} jours`,
  showAsTable: 'Voir en tableau',
  showAsChart: 'Voir en graphique',
  download: (name) => `Télécharger ${name}`,
  asSvg: 'Image (SVG)',
  asCsv: 'Tableau (CSV)',
  change: 'Modifier',
  drawnAs: 'Forme',
  shapes: { bar: 'Barres', stacked: 'Barres divisées', donut: 'Anneau', number: 'Nombre' },
  countBy: 'Compter par',
  dividedBy: 'Divisé par',
  nothing: 'Rien',
  sum: 'Ce qui est compté',
};
