import type { queryFaults as en } from '../en/query-faults.ts';

export const queryFaults: typeof en = {
  expected: (line, column, what) => `Ligne ${line}, colonne ${column} : ici irait ${what}.`,
  wants: {
    field: 'un champ',
    column: 'une colonne',
    operator: 'un opérateur',
    value: 'une valeur',
    text: 'un texte entre guillemets',
    number: 'un nombre',
    escaped: 'un caractère après la barre oblique inverse',
    end: 'la fin',
  },
  unknownField: (name) => `Les requêtes ne connaissent pas de champ ${name} ici.`,
  operator: (label, takes) => `${label} accepte ${takes}.`,
  value: {
    words: (label) => `${label} se compare à un texte entre guillemets.`,
    number: (label) => `${label} se compare à des nombres.`,
    day: (label) => `${label} se compare à des jours comme "2026-11-20", ou à NOW().`,
    time: (label) => `${label} se compare à "2026-11-20 14:30", "2026-11-20" ou NOW().`,
    list: (label) => `${label} se compare à ses valeurs entre guillemets.`,
    person: (label) => `${label} se compare à un identifiant entre guillemets, ou à MYSELF().`,
  },
  empty: (label) => `On ne peut pas chercher ainsi l’absence de valeur de ${label}.`,
  unknownValue: (label, value) => `${label} n’a pas de valeur ${value}.`,
  doubleNegative: 'IS NOT … TRACKER != est une double négation.',
  noQuery: 'Ce n’est pas encore une requête',
  onlyAnd: 'Seules des conditions reliées par AND peuvent être des filtres',
  noFilter: (name) => `Il n’y a pas de filtre pour ${name}`,
  twoFilters: (name) => `Il y a déjà un filtre pour ${name}`,
};
