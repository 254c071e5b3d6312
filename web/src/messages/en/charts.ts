export const charts = {
  setStatus: 'Choose the status',
  noStatus: 'States need a status',
  noStatusAdministrator: 'Choose the field of the status in the semantics of this tracker.',
  noStatusOthers: 'An administrator of this tracker can choose its field.',
  noValue: 'No value',
  artifacts: 'Artifacts',
  states: 'States over time',
  statesWords: (first: string, last: string, since: string) => `From ${first} to ${last} since ${since}.`,
  openNow: 'Open now',
  openChange: (more: number, shown: string, since: string) =>
    more === 0 ? `As many as on ${since}` : `${shown} ${more > 0 ? 'more' : 'fewer'} than on ${since}`,
  flow: 'Created and closed',
  flowWords: (created: string, closed: string, since: string) =>
    `${created} created and ${closed} closed since ${since}.`,
  burnup: (field: string) => `Burnup of ${field}`,
  burnupWords: (closed: string, all: string) => `${closed} of ${all} are in closed artifacts.`,
  burndown: (field: string) => `Burndown of ${field}`,
  burndownWords: (left: string, before: string) => `${left} are left to do, ${before} when the time began.`,
  byFields: (names: readonly string[], sum: string | undefined) =>
    `${sum === undefined ? '' : `${sum} by `}${names.join(' by ')}`,
  mostOf: (name: string, amount: string, all: string) => `${name} has most, ${amount} of ${all}.`,
  totals: { open: 'Open', all: 'All' },
  flows: { created: 'Created', closed: 'Closed' },
  left: 'Left',
  efforts: { all: 'All', closed: 'Closed' },
  steps: { day: 'Day', week: 'Week', month: 'Month' },
  step: 'By',
  since: 'Last',
  lastDays: (days: number) =>
    days % 365 === 0
      ? `${days / 365 === 1 ? '' : `${days / 365} `}${days === 365 ? 'year' : 'years'}`
      : days % 7 === 0
        ? `${days / 7} weeks`
        : `${days} days`,
  showAsTable: 'Show as table',
  showAsChart: 'Show as chart',
  download: (name: string) => `Download ${name}`,
  asSvg: 'Picture (SVG)',
  asCsv: 'Table (CSV)',
  change: 'Change',
  drawnAs: 'Drawn as',
  shapes: { bar: 'Bars', stacked: 'Divided bars', donut: 'Ring', number: 'Number' },
  countBy: 'Count by',
  dividedBy: 'Divided by',
  nothing: 'Nothing',
  sum: 'What is counted',
};
