import type { QueryFault, Wanted } from '../kernel/query.ts';
import type { QueryProblem } from '../kernel/query-check.ts';
import type { Messages } from '../messages/index.ts';

/** What is wrong with a part of a query. `unknownName`: what to say of a name that means nothing where it stands. */
export function problemWords(
  problem: QueryProblem,
  { queryFaults: faults }: Messages,
  unknownName: (name: string) => string = faults.unknownField,
): string {
  switch (problem.why) {
    case 'unknown field':
      return unknownName(problem.name);
    case 'operator':
      return faults.operator(problem.label, problem.takes.join(' '));
    case 'value':
      return faults.value[problem.kind](problem.label);
    case 'empty':
      return faults.empty(problem.label);
    case 'unknown value':
      return faults.unknownValue(problem.label, problem.value);
    case 'double negative':
      return faults.doubleNegative;
  }
}

function wantedWords(wanted: Wanted, { queryFaults: faults }: Messages): string {
  if (wanted.is === 'word') return wanted.word;
  return wanted.is === 'closing' ? wanted.quote : faults.wants[wanted.is];
}

/** Where a query cannot be read: line, column, and what could stand there. */
export function faultWords(
  { line, column, wanted }: Pick<QueryFault, 'line' | 'column' | 'wanted'>,
  words: Messages,
  list: (words: string[]) => string,
): string {
  const all = [...new Set(wanted.map((one) => wantedWords(one, words)))];
  return words.queryFaults.expected(line, column, list(all));
}

/** A value can be missing as a text, as a number and as a function: it is offered once. */
export const isNewWanted = (wanted: Wanted, before: readonly Wanted[]): boolean =>
  !before.some((one) => JSON.stringify(one) === JSON.stringify(wanted));
