import type { Comparison, QueryValue } from '../kernel/query.ts';
import type { ComparedKind, QueryField } from '../kernel/query-check.ts';
import { quoted } from '../kernel/quoted.ts';
import { currentMessages } from '../messages/index.ts';
import { isOfPeople } from './abilities.ts';
import { type Choice, NOBODY, possibleChoices } from './choice.ts';
import { plusDays, readDay, todayHere, writtenDay } from './days.ts';
import { searchedId } from './filter-words.ts';
import type { Criterion, Field, FieldContent } from './model.ts';
import { hasTimes, isRelative, relativeQuery } from './relative-days.ts';
import { fieldTypes } from './types.ts';

const kinds: Readonly<Partial<Record<FieldContent, ComparedKind>>> = {
  line: 'words',
  text: 'words',
  files: 'words',
  number: 'number',
};

/** What queries compare a field to; undefined where they cannot ask for it. */
function comparedAs(field: Field): ComparedKind | undefined {
  const type = fieldTypes[field.type];
  if (type === undefined || type.takesNewWords === true) return undefined;
  if (type.groupedBy === 'date') return hasTimes(field) ? 'time' : 'day';
  if (type.chooses !== undefined) return 'list';
  if (type.isPerson === true) return 'person';
  return type.holds && kinds[type.holds];
}

/** How queries name a value of a list: people by their login. */
const queriedName = (field: Field, choice: Choice): string | undefined =>
  isOfPeople(field) ? choice.login || undefined : choice.name;

/** A field as queries know it. */
export function queryFieldOf(field: Field): QueryField | undefined {
  const kind = comparedAs(field);
  if (kind === undefined) return undefined;
  // People come and go, and groups have several names: of neither all are known here.
  const hasLabels = kind === 'list' && field.bindings.type === 'static';
  const labels = hasLabels ? possibleChoices(field).map(({ name }) => name) : undefined;
  return { name: field.name, label: field.label, kind, labels };
}

/** A field as queries over several trackers know it: open lists too, of which never all words are known. What every artifact tells goes by one name for all trackers. */
export function crossQueryFieldOf(field: Field): QueryField | undefined {
  const type = fieldTypes[field.type];
  if (type === undefined || type.fact !== undefined || type.holds === 'files') return undefined;
  return type.takesNewWords === true
    ? { name: field.name, label: field.label, kind: 'list', labels: undefined }
    : queryFieldOf(field);
}

/** A part of a search in the other form, or why it has none there. */
export type Turned<Form> =
  | { readonly as: Form; readonly why?: undefined }
  | { readonly as?: undefined; readonly why: string };

const why = (reason: string): { readonly why: string } => ({ why: reason });

const isPattern = (text: string) => /^!?\/.*\/$/.test(text);

const numberForm = /^(<=?|>=?)?\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s*-\s*([+-]?\d+(?:\.\d+)?))?$/i;

/** Queries have no numbers below zero but in quotes. */
const asNumber = (text: string) => (/^\d+(?:\.\d+)?$/.test(text) ? text : quoted(text));

function wordsQuery({ name, type }: Field, { operator, value }: Criterion): Turned<string> {
  const { query } = currentMessages().fields;
  const text = String(value).trim();
  if (isPattern(text)) return why(query.noPatterns);
  const words = type === 'file' ? [text] : text.split(/\s+/);
  if (operator !== 'not') return { as: words.map((word) => `${name} = ${quoted(word)}`).join(' AND ') };
  return words.length === 1 ? { as: `${name} != ${quoted(text)}` } : why(query.noSeveralWords);
}

function numberQuery({ name }: Field, { operator, value }: Criterion): Turned<string> {
  const { query } = currentMessages().fields;
  const [, sign = '=', first, second] = numberForm.exec(String(value).trim()) ?? [];
  if (first === undefined || (operator === 'not' && (sign !== '=' || second !== undefined)))
    return why(query.noPatterns);
  if (operator === 'not') return { as: `${name} != ${asNumber(first)}` };
  return second === undefined
    ? { as: `${name} ${sign} ${asNumber(first)}` }
    : { as: `${name} BETWEEN(${asNumber(first)}, ${asNumber(second)})` };
}

function dateQuery(field: Field, criterion: Criterion): Turned<string> {
  const { name } = field;
  const { operator, value } = criterion;
  if (isRelative(criterion)) return { as: relativeQuery(field, criterion) };
  const days = (Array.isArray(value) ? value : [value]).map((day) => quoted(String(day)));
  if (operator === 'between') return { as: `${name} BETWEEN(${days.join(', ')})` };
  const sign = operator === '<' || operator === '>' ? operator : operator === 'not' ? '!=' : '=';
  return { as: `${name} ${sign} ${days[0]}` };
}

/** What a query calls each of the ids that a list is asked for. */
function namesOf(field: Field, ids: readonly string[]): Turned<readonly string[]> {
  const { query } = currentMessages().fields;
  const choices = possibleChoices(field);
  const names: string[] = [];
  for (const id of ids) {
    const choice = choices.find((one) => searchedId(field, one) === id);
    const name = id === 'me' ? 'MYSELF()' : choice && queriedName(field, choice);
    if (name === undefined) return why(query.unknownValue(choice?.name ?? id));
    const isAlone = id === 'me' || choices.filter((one) => queriedName(field, one) === name).length === 1;
    if (!isAlone) return why(query.sameName(name));
    names.push(id === 'me' ? name : quoted(name));
  }
  return { as: names };
}

function listQuery(field: Field, { operator, value }: Criterion): Turned<string> {
  const ids = Array.isArray(value) ? value.map(String) : [String(value)];
  const { name } = field;
  const { as: names, why: reason } = namesOf(
    field,
    ids.filter((id) => id !== NOBODY),
  );
  if (names === undefined) return why(reason);
  const isNot = operator === 'not';
  const [equal, among, joined] = isNot ? ['!=', 'NOT IN', ' AND '] : ['=', 'IN', ' OR '];
  const some =
    names.length === 0
      ? []
      : [names.length === 1 ? `${name} ${equal} ${names[0]}` : `${name} ${among}(${names.join(', ')})`];
  const none = `${name} ${equal} ""`;
  const all = !ids.includes(NOBODY) ? some : ids[0] === NOBODY ? [none, ...some] : [...some, none];
  return { as: all.length > 1 ? `(${all.join(joined)})` : (all[0] ?? '') };
}

const written: Readonly<Record<ComparedKind, (field: Field, criterion: Criterion) => Turned<string>>> = {
  words: wordsQuery,
  number: numberQuery,
  day: dateQuery,
  time: dateQuery,
  list: listQuery,
  person: listQuery,
};

/** The condition of a query that asks for what a criterion asks for. */
export function queryOfCriterion(field: Field, criterion: Criterion): Turned<string> {
  const { query } = currentMessages().fields;
  const kind = comparedAs(field);
  if (kind === undefined) return why(query.notInQueries);
  if (criterion.operator === 'empty' || criterion.operator === 'filled')
    return kind === 'person'
      ? why(query.notInQueries)
      : { as: `${field.name} ${criterion.operator === 'empty' ? '=' : '!='} ""` };
  return written[kind](field, criterion);
}

const textOf = (value: QueryValue | undefined): string | undefined =>
  value?.is === 'text' || value?.is === 'number' ? value.text : undefined;

function wordsCriterion(field: Field, comparisons: readonly Comparison[]): Turned<Criterion> {
  const { query } = currentMessages().fields;
  const words = comparisons.map(({ values: [value] }) => textOf(value) ?? '');
  const isOne = comparisons.length === 1;
  const isNot = comparisons.some(({ operator }) => operator === '!=');
  if (isNot && !isOne) return why(query.severalConditions);
  const isSplit =
    field.type !== 'file' && words.some((word) => /\s/.test(word.trim()) || word !== word.trim());
  if (isSplit || words.some(isPattern)) return why(query.wholePhrase);
  if (field.type === 'file' && !isOne) return why(query.severalConditions);
  return { as: { operator: isNot ? 'not' : 'contains', value: words.join(' ') } };
}

function numberCriterion(_field: Field, [comparison, ...more]: readonly Comparison[]): Turned<Criterion> {
  const { query } = currentMessages().fields;
  if (comparison === undefined || more.length > 0) return why(query.severalConditions);
  const [first = '', second = ''] = comparison.values.map((value) => textOf(value)?.trim() ?? '');
  if (comparison.operator === 'BETWEEN')
    return { as: { operator: 'contains', value: `${first} - ${second}` } };
  if (comparison.operator === '!=') return { as: { operator: 'not', value: first } };
  const sign = comparison.operator === '=' ? '' : `${comparison.operator} `;
  return { as: { operator: 'contains', value: `${sign}${first}` } };
}

/** A day of its own; undefined for one with a time. */
function dayIn(value: QueryValue | undefined): string | undefined {
  const text = value?.is === 'text' ? value.text : '';
  const day = /^\d{4}-\d{1,2}-\d{1,2}$/.test(text) ? readDay(text, todayHere()) : null;
  return day === null ? undefined : writtenDay(day);
}

function nextTo(day: string, by: number): string {
  const read = readDay(day, todayHere());
  return read === null ? day : writtenDay(plusDays(read, by));
}

const isNow = (value: QueryValue | undefined, sign: -1 | 0 | 1): value is QueryValue & { is: 'now' } =>
  value?.is === 'now' && Math.sign(value.count) === sign;

function relativeCriterion({ operator, values: [first, second] }: Comparison): Criterion | undefined {
  if (operator === 'BETWEEN' && isNow(first, -1) && isNow(second, 0))
    return { operator: 'last', value: `${-first.count}${first.unit}` };
  if (operator === 'BETWEEN' && isNow(first, 0) && isNow(second, 1))
    return { operator: 'next', value: `${second.count}${second.unit}` };
  if (operator === '=' && isNow(first, 0)) return { operator: 'today', value: '' };
  return operator === '<' && isNow(first, 0) ? { operator: 'past', value: '' } : undefined;
}

function dateCriterion(_field: Field, [comparison, ...more]: readonly Comparison[]): Turned<Criterion> {
  const { query } = currentMessages().fields;
  if (comparison === undefined || more.length > 0) return why(query.severalConditions);
  const relative = relativeCriterion(comparison);
  if (relative !== undefined) return { as: relative };
  const { operator } = comparison;
  const [first, second] = comparison.values.map(dayIn);
  if (first === undefined || (operator === 'BETWEEN' && second === undefined)) return why(query.dayWithTime);
  if (operator === 'BETWEEN') return { as: { operator: 'between', value: [first, second ?? ''] } };
  // Filters know before and after; up to a day is before the next one.
  if (operator === '<=') return { as: { operator: '<', value: nextTo(first, 1) } };
  if (operator === '>=') return { as: { operator: '>', value: nextTo(first, -1) } };
  return { as: { operator: operator === '!=' ? 'not' : operator, value: first } };
}

/** The ids of all that a list is compared to. */
function idsOf(field: Field, values: readonly QueryValue[]): Turned<readonly string[]> {
  const { query } = currentMessages().fields;
  const choices = possibleChoices(field);
  const ids: string[] = [];
  for (const value of values) {
    const text = textOf(value);
    const wanted = text?.toLocaleLowerCase();
    const choice = choices.find((one) => queriedName(field, one)?.toLocaleLowerCase() === wanted);
    const id = value.is === 'myself' ? 'me' : text === '' ? NOBODY : choice && searchedId(field, choice);
    if (id === undefined) return why(query.unknownValue(text ?? ''));
    ids.push(id);
  }
  return { as: ids };
}

function listCriterion(field: Field, comparisons: readonly Comparison[]): Turned<Criterion> {
  const { query } = currentMessages().fields;
  const [first] = comparisons;
  const isNot = first?.operator === '!=' || first?.operator === 'NOT IN';
  const isNotToo = ({ operator }: Comparison) => operator === '!=' || operator === 'NOT IN';
  // All of several values is no filter; none of several is.
  if (!comparisons.every((one) => isNotToo(one) === isNot) || (!isNot && comparisons.length > 1))
    return why(query.severalConditions);
  const { as: ids, why: reason } = idsOf(
    field,
    comparisons.flatMap(({ values }) => values),
  );
  return ids === undefined
    ? why(reason)
    : { as: { operator: isNot ? 'not' : 'contains', value: [...new Set(ids)] } };
}

const read: Readonly<
  Record<ComparedKind, (field: Field, comparisons: readonly Comparison[]) => Turned<Criterion>>
> = {
  words: wordsCriterion,
  number: numberCriterion,
  day: dateCriterion,
  time: dateCriterion,
  list: listCriterion,
  person: listCriterion,
};

const asksForEmpty = ({ operator, values: [value] }: Comparison) =>
  (operator === '=' || operator === '!=') && value?.is === 'text' && value.text === '';

/** The criterion that asks for what all of some comparisons of a field ask for. */
export function criterionOfQuery(field: Field, comparisons: readonly Comparison[]): Turned<Criterion> {
  const { query } = currentMessages().fields;
  const kind = comparedAs(field);
  if (kind === undefined) return why(query.notInQueries);
  const isList = kind === 'list' || kind === 'person';
  const [only, ...more] = comparisons;
  if (!isList && only !== undefined && comparisons.some(asksForEmpty))
    return more.length > 0
      ? why(query.severalConditions)
      : { as: { operator: only.operator === '=' ? 'empty' : 'filled', value: '' } };
  return read[kind](field, comparisons);
}

/** `(status = "" OR status = "Open")`: any of several values, no value among them. */
export function criterionOfAny(field: Field, comparisons: readonly Comparison[]): Turned<Criterion> {
  const { query } = currentMessages().fields;
  const kind = comparedAs(field);
  const isAny = comparisons.every(({ operator }) => operator === '=' || operator === 'IN');
  if (!isAny || (kind !== 'list' && kind !== 'person')) return why(query.onlyAnd);
  const { as: ids, why: reason } = idsOf(
    field,
    comparisons.flatMap(({ values }) => values),
  );
  return ids === undefined ? why(reason) : { as: { operator: 'contains', value: [...new Set(ids)] } };
}

export interface QueriedValue {
  /** As it stands in a query. */
  readonly text: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** Values that are offered where a field is compared; people whom the field does not list are looked for elsewhere. */
export function queriedValues(field: Field): { readonly values: readonly QueriedValue[]; isPeople: boolean } {
  const kind = comparedAs(field);
  const { query } = currentMessages().fields;
  const isPeople = kind !== undefined && isOfPeople(field);
  const none = { text: '""', label: '""', detail: query.noValue };
  const me = isPeople ? [{ text: 'MYSELF()', label: 'MYSELF()', detail: query.myself }] : [];
  if (kind === 'day' || kind === 'time')
    return {
      isPeople,
      values: [
        { text: 'NOW()', label: 'NOW()', detail: query.now },
        { text: 'NOW() - 7d', label: 'NOW() - 7d', detail: query.weekAgo },
        { text: 'NOW() + 7d', label: 'NOW() + 7d', detail: query.inAWeek },
        { text: quoted(writtenDay(todayHere())), label: quoted(writtenDay(todayHere())), detail: query.aDay },
        none,
      ],
    };
  if (kind !== 'list' && kind !== 'person') return { isPeople, values: kind === undefined ? [] : [none] };
  const values = possibleChoices(field).flatMap((choice) => {
    const name = queriedName(field, choice);
    return name === undefined
      ? []
      : [{ text: quoted(name), label: choice.name, detail: name === choice.name ? undefined : name }];
  });
  return { isPeople, values: [...me, ...values, ...(kind === 'person' ? [] : [none])] };
}
