import type { Tracker } from '@atelier/client/routes';
import { type Field, may, people, queriedValues, queryFieldOf } from '../fields/index.ts';
import { type QueryFault, readQuery, type Wanted, wantedAfter } from '../kernel/query.ts';
import { checkQuery, operatorsOf, type QueryField, type QueryProblem } from '../kernel/query-check.ts';
import { quoted } from '../kernel/quoted.ts';
import type { Messages } from '../messages/index.ts';
import type { QueryOption, QueryOptions, WrongPart } from '../ui/index.ts';

/** Comments are asked for like a text of every artifact. */
const comments = '@comments';

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function fieldCalled(tracker: Tracker, name: string): Field | undefined {
  const { fields } = tracker;
  return fields.find((field) => field.name === name) ?? fields.find((field) => sameName(field.name, name));
}

function queryFieldNamed(tracker: Tracker, name: string, words: Messages): QueryField | undefined {
  if (name === comments) return { name, label: words.tracker.special[comments], kind: 'words' };
  const field = fieldCalled(tracker, name);
  return field === undefined ? undefined : queryFieldOf(field);
}

const queryFields = (tracker: Tracker, words: Messages): readonly QueryField[] => [
  ...tracker.fields.filter((field) => may(field, 'read')).flatMap((field) => queryFieldOf(field) ?? []),
  { name: comments, label: words.tracker.special[comments], kind: 'words' },
];

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** What was typed of the next word or text, and all before it. */
interface Typed {
  readonly before: string;
  readonly text: string;
  readonly from: number;
}

/** Where the text in quotes begins that is not closed yet. */
function openQuote(text: string): number {
  let quote = '';
  let from = -1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote === '' && (sign === '"' || sign === "'")) [quote, from] = [sign, at];
    else if (quote !== '' && sign === '\\') at += 1;
    else if (sign === quote) [quote, from] = ['', -1];
  }
  return from;
}

function typedIn(text: string): Typed {
  const quote = openQuote(text);
  if (quote >= 0) return { before: text.slice(0, quote), text: text.slice(quote + 1), from: quote };
  const word = /[@\w.-]*$/.exec(text)?.[0] ?? '';
  const from = text.length - word.length;
  return { before: text.slice(0, from), text: word, from };
}

/** Words that stand for whole conditions about links. */
const linkPhrases: Readonly<Record<string, readonly string[]>> = {
  IS: [
    'IS LINKED TO',
    'IS NOT LINKED TO',
    'IS LINKED FROM',
    'IS NOT LINKED FROM',
    'IS COVERED',
    'IS NOT COVERED',
    'IS COVERING',
    'IS NOT COVERING',
  ],
  WITH: ['WITH PARENT', 'WITH CHILDREN'],
  WITHOUT: ['WITHOUT PARENT', 'WITHOUT CHILDREN'],
  ARTIFACT: ['ARTIFACT = '],
  TRACKER: ['TRACKER = ', 'TRACKER != '],
  TYPE: ['TYPE '],
};

/** Signs and the second halves of phrases are typed faster than chosen. */
const isOffered = (word: string) => /^[A-Z]{2,}$/.test(word);

function wordOptions(word: string, isFirst: boolean): readonly QueryOption[] {
  // Between conditions `WITH` begins the type of a link.
  const phrases = word === 'WITH' && !isFirst ? ['WITH TYPE '] : (linkPhrases[word] ?? [word]);
  return phrases.map((phrase) => ({
    label: phrase.trim(),
    text: phrase.endsWith(' ') ? phrase : `${phrase} `,
    goesOn: true,
  }));
}

const linkTypes = ['_is_child', '_covered_by'];

function operatorOptions(
  tracker: Tracker,
  wanted: Wanted & { is: 'operator' },
  words: Messages,
): QueryOption[] {
  const field = queryFieldNamed(tracker, wanted.name, words);
  if (field === undefined || !operatorsOf(field.kind).includes(wanted.operator)) return [];
  const { operator } = wanted;
  const hasList = operator === 'BETWEEN' || operator === 'IN' || operator === 'NOT IN';
  return [
    {
      label: operator,
      detail: words.tracker.operatorWords[operator],
      text: hasList ? `${operator} (` : `${operator} `,
      goesOn: true,
    },
  ];
}

const mostPeople = 20;

async function valueOptions(tracker: Tracker, name: string, typed: Typed): Promise<QueryOption[]> {
  const field = fieldCalled(tracker, name);
  if (field === undefined) return [];
  const { values, isPeople } = queriedValues(field);
  const listed = values.map(({ text, label, detail }) => ({ label, detail, text }));
  // The list of the field has nobody: whoever can be chosen in the project.
  if (!isPeople || listed.some(({ text }) => text.startsWith('"') && text !== '""')) return listed;
  const found = await people(tracker.project.id, typed.text);
  const them = found
    .slice(0, mostPeople)
    .flatMap(({ username, real_name }) =>
      username === null ? [] : [{ label: real_name ?? username, detail: username, text: quoted(username) }],
    );
  return [...listed, ...them];
}

async function optionsFor(
  tracker: Tracker,
  wanted: Wanted,
  typed: Typed,
  words: Messages,
  isFirst: boolean,
): Promise<readonly QueryOption[]> {
  if (wanted.is === 'field')
    return queryFields(tracker, words).map(({ name, label }) => ({
      label: name,
      detail: label,
      text: `${name} `,
      goesOn: true,
    }));
  if (wanted.is === 'operator') return operatorOptions(tracker, wanted, words);
  if (wanted.is === 'value') return valueOptions(tracker, wanted.name, typed);
  if (wanted.is === 'text') {
    const names = wanted.of === 'tracker' ? [tracker.item_name] : linkTypes;
    return names.map((name) => ({ label: name, text: `${quoted(name)} `, goesOn: true }));
  }
  return wanted.is === 'word' && isOffered(wanted.word) ? wordOptions(wanted.word, isFirst) : [];
}

const isMeant = ({ label, detail = '' }: QueryOption, typed: string) =>
  [label, detail].some((text) => folded(text).includes(folded(typed)));

/** What begins with what was typed comes first. */
const rank = ({ label, detail = '' }: QueryOption, typed: string) =>
  [label, detail].some((text) => folded(text).startsWith(folded(typed))) ? 0 : 1;

const mostOptions = 60;

/** What can be written after a text; unasked it is offered where something has to come. */
export async function queryOptions(
  tracker: Tracker,
  text: string,
  isAsked: boolean,
  words: Messages,
): Promise<QueryOptions | null> {
  const typed = typedIn(text);
  const wanted = wantedAfter(typed.before);
  const isFirst = wanted.some(({ is }) => is === 'field');
  const mustCome = wanted.some(({ is }) => is === 'operator' || is === 'value' || is === 'text');
  const begins = isFirst && typed.before.trim() !== '';
  if (!isAsked && typed.text === '' && !mustCome && !begins) return null;
  const kinds = wanted.filter((one, index) => isNew(one, wanted.slice(0, index)));
  const found = await Promise.all(kinds.map((one) => optionsFor(tracker, one, typed, words, isFirst)));
  const options = found
    .flat()
    .filter((option) => isMeant(option, typed.text) && option.text.trim() !== text.slice(typed.from))
    .sort((one, other) => rank(one, typed.text) - rank(other, typed.text))
    .slice(0, mostOptions);
  return { from: typed.from, options };
}

/** A value can be missing as a text, as a number and as a function: it is offered once. */
const isNew = (wanted: Wanted, before: readonly Wanted[]): boolean =>
  !before.some((one) => JSON.stringify(one) === JSON.stringify(wanted));

function problemWords(problem: QueryProblem, { tracker: words }: Messages): string {
  const { queryFaults: faults } = words;
  switch (problem.why) {
    case 'unknown field':
      return faults.unknownField(problem.name);
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

function wantedWords(wanted: Wanted, { tracker: words }: Messages): string {
  const { wants } = words.queryFaults;
  if (wanted.is === 'word') return wanted.word;
  if (wanted.is === 'closing') return wanted.quote;
  return wants[wanted.is];
}

/** Line, column, and what could stand there. */
function faultWords(
  { line, column, wanted }: QueryFault,
  words: Messages,
  list: (words: string[]) => string,
) {
  const all = [...new Set(wanted.map((one) => wantedWords(one, words)))];
  return words.tracker.queryFaults.expected(line, column, list(all));
}

/** The word or sign that stands where a query is wrong. */
const tokenAt = (text: string, at: number): number =>
  at + (/^(?:[@\w.-]+|[<>!=]+|\S)/.exec(text.slice(at))?.[0].length ?? 0);

/** What is wrong with a query; where it only ends too early there is nothing to underline. */
export function wrongParts(
  tracker: Tracker,
  text: string,
  words: Messages,
  list: (words: string[]) => string,
): readonly WrongPart[] {
  if (text.trim() === '') return [];
  const { condition, fault } = readQuery(text);
  if (condition === undefined)
    return [{ from: fault.at, to: tokenAt(text, fault.at), words: faultWords(fault, words, list) }];
  return checkQuery(condition, (name) => queryFieldNamed(tracker, name, words)).map((problem) => ({
    from: problem.from,
    to: problem.to,
    words: problemWords(problem, words),
  }));
}
