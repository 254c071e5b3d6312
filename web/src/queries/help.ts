import type { Tracker } from '@atelier/client/routes';
import { faultWords, isNewWanted, people, problemWords } from '../fields/index.ts';
import { readCrossQuery, wantedAfterCross } from '../kernel/cross-query.ts';
import { type Comparison, comparisonsIn, type Wanted } from '../kernel/query.ts';
import { checkQuery } from '../kernel/query-check.ts';
import {
  isOfferedWord,
  linkTypes,
  meantOptions,
  phrasesOf,
  type TypedWord,
  tokenEnd,
  typedIn,
} from '../kernel/query-completion.ts';
import { quoted } from '../kernel/quoted.ts';
import type { Messages } from '../messages/index.ts';
import type { QueryOption, QueryOptions, WrongPart } from '../ui/index.ts';
import { asQueryField, operatorsFor, type QueryName, valuesFor } from './names.ts';

/** All that is known about what a query can ask for. */
export interface Knowledge {
  readonly names: readonly QueryName[];
  readonly trackers: readonly Tracker[];
  /** Projects by their short names. */
  readonly projects: readonly { readonly name: string; readonly label: string }[];
  /** Where people are looked for. */
  readonly projectId: number | undefined;
  readonly messages: Messages;
}

const named = ({ names }: Knowledge, name: string) =>
  names.find((one) => one.name === name) ??
  names.find((one) => !name.startsWith('@') && one.name.toLowerCase() === name.toLowerCase());

const nameOption = ({ name, label }: QueryName): QueryOption => ({
  label: name,
  detail: label,
  text: `${name} `,
  goesOn: true,
});

async function valueOptions(known: Knowledge, name: string, typed: TypedWord): Promise<QueryOption[]> {
  const one = named(known, name);
  if (one === undefined) return [];
  const { values, isPeople } = valuesFor(one, known.messages);
  if (!isPeople || known.projectId === undefined) return [...values];
  const found = await people(known.projectId, typed.text);
  const them = found
    .slice(0, 20)
    .flatMap(({ username, real_name }) =>
      username === null ? [] : [{ label: real_name ?? username, detail: username, text: quoted(username) }],
    );
  return [...values, ...them.filter(({ text }) => !values.some((value) => value.text === text))];
}

/** `SELECT … FROM` are the beginnings of what comes next: they are offered with it. */
const wordTexts: Readonly<Record<string, string>> = {
  ORDER: 'ORDER BY ',
  MY_PROJECTS: 'MY_PROJECTS() ',
  '@project': '@project = ',
  '@project.name': '@project.name = ',
  '@tracker.name': '@tracker.name = ',
};

/** Both forms of a direction mean the same; categories are for other servers. */
const notOffered = ['ASCENDING', 'DESCENDING', '@project.category'];

function wordOptions(word: string, isFirst: boolean): readonly QueryOption[] {
  if (notOffered.includes(word)) return [];
  const text = wordTexts[word];
  if (text !== undefined) return [{ label: text.replace(/ = $/, '').trim(), text, goesOn: true }];
  if (!isOfferedWord(word)) return [];
  return phrasesOf(word, isFirst).map((phrase) => ({ label: phrase.trim(), text: phrase, goesOn: true }));
}

function textOptions(known: Knowledge, of: 'tracker' | 'project' | 'link type'): readonly QueryOption[] {
  if (of === 'link type')
    return linkTypes.map((name) => ({ label: name, text: `${quoted(name)} `, goesOn: true }));
  if (of === 'project')
    return known.projects.map(({ name, label }) => ({
      label: name,
      detail: label,
      text: quoted(name),
      goesOn: false,
    }));
  const byName = new Map(known.trackers.map(({ item_name, label }) => [item_name, label]));
  return [...byName].map(([name, label]) => ({
    label: name,
    detail: label,
    text: quoted(name),
    goesOn: false,
  }));
}

function operatorOptions(known: Knowledge, wanted: Wanted & { is: 'operator' }): readonly QueryOption[] {
  const one = named(known, wanted.name);
  if (one === undefined || !operatorsFor(one).includes(wanted.operator)) return [];
  const { operator } = wanted;
  const hasList = operator === 'BETWEEN' || operator === 'IN' || operator === 'NOT IN';
  return [
    {
      label: operator,
      detail: known.messages.queries.operatorWords[operator],
      text: hasList ? `${operator}(` : `${operator} `,
      goesOn: true,
    },
  ];
}

async function optionsFor(
  known: Knowledge,
  wanted: Wanted,
  typed: TypedWord,
  isFirst: boolean,
): Promise<readonly QueryOption[]> {
  switch (wanted.is) {
    case 'column': {
      const isOrder = /\bORDER\s+BY\s*$/i.test(typed.before);
      return known.names.filter(({ mayOrder }) => !isOrder || mayOrder).map(nameOption);
    }
    case 'field':
      return known.names.filter(({ kind }) => kind !== undefined).map(nameOption);
    case 'operator':
      return operatorOptions(known, wanted);
    case 'value':
      return valueOptions(known, wanted.name, typed);
    case 'text':
      return textOptions(known, wanted.of);
    case 'word':
      return wordOptions(wanted.word, isFirst);
    default:
      return [];
  }
}

/** What can be written after a text; unasked it is offered where something has to come. */
export async function crossOptions(
  known: Knowledge,
  text: string,
  isAsked: boolean,
): Promise<QueryOptions | null> {
  const typed = typedIn(text);
  const wanted = wantedAfterCross(typed.before);
  const mustCome = wanted.some(
    ({ is }) => is === 'operator' || is === 'value' || is === 'text' || is === 'column',
  );
  const isFirst = wanted.some(({ is }) => is === 'field');
  if (!isAsked && typed.text === '' && !mustCome && !isFirst) return null;
  const kinds = wanted.filter((one, index) => isNewWanted(one, wanted.slice(0, index)));
  const found = await Promise.all(kinds.map((one) => optionsFor(known, one, typed, isFirst)));
  return { from: typed.from, options: meantOptions(found.flat(), typed, text) };
}

const spanOf = ({ from, to }: { readonly from: number; readonly to: number }) => ({ from, to });

/** What the server would refuse in a comparison whose kind fields of one tracker do not have. */
function ownProblem(one: QueryName, comparison: Comparison, words: Messages): WrongPart[] {
  const { queryFaults: faults } = words;
  const takes = operatorsFor(one);
  if (!takes.includes(comparison.operator))
    return [{ ...comparison.operatorSpan, words: faults.operator(one.label, takes.join(' ')) }];
  const isRight = (value: Comparison['values'][number]) =>
    one.kind === 'state' ? value.is === 'open' : value.is === 'number' && /^[1-9]\d*$/.test(value.text);
  return comparison.values
    .filter((value) => !isRight(value))
    .map((value) => ({
      ...spanOf(value),
      words: one.kind === 'state' ? words.queries.onlyOpen(one.label) : words.queries.onlyIds(one.label),
    }));
}

/** What is wrong with a query, as far as that is known before it is run; where it only ends too early there is nothing to underline. */
export function wrongPartsOf(
  known: Knowledge,
  text: string,
  list: (words: string[]) => string,
): readonly WrongPart[] {
  const { messages } = known;
  if (text.trim() === '') return [];
  const { query, fault } = readCrossQuery(text);
  if (query === undefined) {
    return [{ from: fault.at, to: tokenEnd(text, fault.at), words: faultWords(fault, messages, list) }];
  }
  const { condition, columns } = query;
  const compared = comparisonsIn(condition);
  const own = compared.flatMap((comparison) => {
    const one = named(known, comparison.name);
    return one?.kind === 'state' || one?.kind === 'id' ? ownProblem(one, comparison, messages) : [];
  });
  const isChecked = (name: string) => {
    const kind = named(known, name)?.kind;
    return kind !== 'state' && kind !== 'id';
  };
  // Without its trackers nobody knows what a name means.
  const problems =
    known.trackers.length === 0
      ? []
      : checkQuery(condition, (name) => {
          const one = named(known, name);
          return one === undefined ? undefined : asQueryField(one);
        }).filter(
          (problem) =>
            problem.why === 'double negative' ||
            !compared.some(
              ({ name, from, to }) => problem.from >= from && problem.to <= to && !isChecked(name),
            ),
        );
  const twice = columns
    .filter(({ name }, place) => columns.findIndex((one) => one.name === name) < place)
    .map((column) => ({ ...spanOf(column), words: messages.queries.twice(column.name) }));
  return [
    ...own,
    ...twice,
    ...problems.map((problem) => ({
      ...spanOf(problem),
      words: problemWords(problem, messages, messages.queries.unknownName),
    })),
  ].sort((one, other) => one.from - other.from);
}
