import type { Tracker } from '@atelier/client/routes';
import {
  type Field,
  faultWords,
  isNewWanted,
  may,
  people,
  problemWords,
  queriedValues,
  queryFieldOf,
} from '../fields/index.ts';
import { readQuery, type Wanted, wantedAfter } from '../kernel/query.ts';
import { checkQuery, operatorsOf, type QueryField } from '../kernel/query-check.ts';
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

function wordOptions(word: string, isFirst: boolean): readonly QueryOption[] {
  return phrasesOf(word, isFirst).map((phrase) => ({ label: phrase.trim(), text: phrase, goesOn: true }));
}

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
      detail: words.queries.operatorWords[operator],
      text: hasList ? `${operator} (` : `${operator} `,
      goesOn: true,
    },
  ];
}

const mostPeople = 20;

async function valueOptions(tracker: Tracker, name: string, typed: TypedWord): Promise<QueryOption[]> {
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
  typed: TypedWord,
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
  return wanted.is === 'word' && isOfferedWord(wanted.word) ? wordOptions(wanted.word, isFirst) : [];
}

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
  const kinds = wanted.filter((one, index) => isNewWanted(one, wanted.slice(0, index)));
  const found = await Promise.all(kinds.map((one) => optionsFor(tracker, one, typed, words, isFirst)));
  return { from: typed.from, options: meantOptions(found.flat(), typed, text) };
}

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
    return [{ from: fault.at, to: tokenEnd(text, fault.at), words: faultWords(fault, words, list) }];
  return checkQuery(condition, (name) => queryFieldNamed(tracker, name, words)).map((problem) => ({
    from: problem.from,
    to: problem.to,
    words: problemWords(problem, words),
  }));
}
