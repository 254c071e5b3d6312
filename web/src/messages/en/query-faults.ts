/** What is wrong with a query. */
export const queryFaults = {
  expected: (line: number, column: number, what: string) =>
    `Line ${line}, column ${column}: here could be ${what}.`,
  wants: {
    field: 'a field',
    column: 'a column',
    operator: 'an operator',
    value: 'a value',
    text: 'a text in quotes',
    number: 'a number',
    escaped: 'a character after the backslash',
    end: 'the end',
  },
  unknownField: (name: string) => `Queries know no field ${name} here.`,
  operator: (label: string, takes: string) => `${label} takes ${takes}.`,
  value: {
    words: (label: string) => `${label} is compared to a text in quotes.`,
    number: (label: string) => `${label} is compared to numbers.`,
    day: (label: string) => `${label} is compared to days such as "2026-11-20", or NOW().`,
    time: (label: string) => `${label} is compared to "2026-11-20 14:30", "2026-11-20" or NOW().`,
    list: (label: string) => `${label} is compared to its values in quotes.`,
    person: (label: string) => `${label} is compared to a login in quotes, or MYSELF().`,
  },
  empty: (label: string) => `${label} cannot be asked for no value like this.`,
  unknownValue: (label: string, value: string) => `${label} has no value ${value}.`,
  doubleNegative: 'IS NOT … TRACKER != turns around twice.',
  noQuery: 'This is no query yet',
  onlyAnd: 'Only conditions with AND between them can be filters',
  noFilter: (name: string) => `There is no filter for ${name}`,
  twoFilters: (name: string) => `There is a filter for ${name} already`,
};
