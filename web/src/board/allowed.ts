import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import {
  allowedChoices,
  choicesIn,
  type Field,
  type FieldPlace,
  fieldTypes,
  isWorkflowField,
  may,
  possibleChoices,
  transitionsFrom,
} from '../fields/index.ts';
import type { Formats, Messages } from '../messages/index.ts';
import { type Column, noValue } from './columns.ts';

/** Whether a card may go to a column, what that asks for, and why it may not. */
export interface Verdict {
  readonly isAllowed: boolean;
  readonly asks?: string | undefined;
  readonly reason?: string | undefined;
}

/** A value that a card would get in a column. */
export interface Way extends Verdict {
  readonly id: string;
}

/** Whether a card may go to a column, and by which of its values. */
export interface ColumnVerdict extends Verdict {
  readonly ways: readonly Way[];
}

/** What rules look at beside the value itself. */
function placeOfCard(tracker: Tracker, row: ArtifactRow): FieldPlace {
  const cellValue = (fieldId: number) => {
    const field = tracker.fields.find((one) => one.field_id === fieldId);
    const cell = field === undefined ? undefined : row.cells[field.name];
    return field === undefined || cell === undefined
      ? undefined
      : fieldTypes[field.type]?.valueOfCell(field, cell);
  };
  return { projectId: tracker.project.id, tracker, seenValue: cellValue, storedValue: cellValue };
}

/** Fields that the values of a list depend on, and those that steps need filled: cards must know them. */
export const sourcesOf = (tracker: Tracker, field: Field | undefined): readonly string[] => {
  const rules = (tracker.workflow?.rules.lists ?? []).filter(
    ({ target_field_id: id }) => id === field?.field_id,
  );
  const isOfSteps = field !== undefined && isWorkflowField(tracker, field);
  const steps = isOfSteps ? (tracker.workflow?.transitions ?? []) : [];
  const ids = new Set([
    ...rules.map(({ source_field_id: id }) => id),
    ...steps.flatMap(({ not_empty_field_ids: needed }) => needed),
  ]);
  return tracker.fields.filter(({ field_id: id }) => ids.has(id)).map(({ name }) => name);
};

/** The value of a list that a card has. */
export const valueIdOf = (row: ArtifactRow | undefined, name: string): string =>
  choicesIn(row?.cells[name]?.value)[0]?.id ?? noValue;

function asksFor(
  tracker: Tracker,
  by: Field,
  place: FieldPlace,
  to: string,
  words: Messages['board'],
): string | undefined {
  if (!isWorkflowField(tracker, by)) return undefined;
  const step = transitionsFrom(tracker, place.storedValue?.(by.field_id), false).find(
    ({ to_id: id }) => String(id) === to,
  );
  const empty = tracker.fields.filter(
    ({ field_id: id, type }) =>
      step?.not_empty_field_ids.includes(id) === true &&
      fieldTypes[type]?.isEmpty(place.seenValue(id)) !== false,
  );
  const what = [
    ...empty.map(({ label }) => label),
    ...(step?.is_comment_required === true ? [words.aComment] : []),
  ];
  return what.length === 0 ? undefined : words.asksFor(what.join(', '));
}

/** Why the workflow does not let it: from where it stands, and by which way it could come. */
function stepReason(
  tracker: Tracker,
  by: Field,
  from: string,
  to: string,
  words: Messages['board'],
  formats: Formats,
): string {
  const choices = possibleChoices(by);
  const nameOf = (id: number | string | null) =>
    choices.find((choice) => choice.id === String(id))?.name ?? words.noValue;
  const before = (tracker.workflow?.transitions ?? []).filter(
    ({ to_id: id, from_id }) => String(id) === to && from_id !== null && String(from_id) !== from,
  );
  const steps = [...new Set(before.map(({ from_id }) => nameOf(from_id)))];
  const through = steps.length === 0 ? [] : [words.through(nameOf(to), formats.anyOf(steps))];
  const forAdmin = tracker.is_administrator === true ? [words.missing] : [];
  return [words.notFrom(nameOf(from)), ...(through.length > 0 ? through : forAdmin)].join(' ');
}

/** Judges which values a card may get: each by itself. */
function judge(
  tracker: Tracker,
  by: Field,
  row: ArtifactRow,
  words: Messages['board'],
  formats: Formats,
): (id: string) => Verdict {
  const place = placeOfCard(tracker, row);
  const from = valueIdOf(row, by.name);
  const chosen = choicesIn(row.cells[by.name]?.value);
  const allowed = new Set(allowedChoices(by, place, possibleChoices(by), chosen).map(({ id }) => id));
  const isWorkflow = isWorkflowField(tracker, by);
  return (id) => {
    if (!row.may_update) return { isAllowed: false, reason: words.mayNot };
    if (id === from) return { isAllowed: true };
    if (!may(by, 'update')) return { isAllowed: false, reason: words.mayNotColumn(by.label) };
    if (id === noValue ? !isWorkflow && by.required !== true : allowed.has(id))
      return { isAllowed: true, asks: asksFor(tracker, by, place, id, words) };
    const isStep =
      !isWorkflow ||
      transitionsFrom(tracker, place.storedValue?.(by.field_id), false).some(
        ({ to_id }) => String(to_id) === id,
      );
    const reason = isStep ? words.notWithOthers : stepReason(tracker, by, from, id, words, formats);
    return { isAllowed: false, reason };
  };
}

/** Judges where a card may go. A column of several values takes it if one of them may be; where more may be, somebody is asked. */
export function judgeColumns(
  tracker: Tracker,
  by: Field,
  row: ArtifactRow,
  words: Messages['board'],
  formats: Formats,
): (column: Pick<Column, 'values'>) => ColumnVerdict {
  const verdictOf = judge(tracker, by, row, words, formats);
  const from = valueIdOf(row, by.name);
  return ({ values }) => {
    const own = values.filter(({ id }) => id === from);
    const ways = (own.length > 0 ? own : values).map(({ id }): Way => ({ id, ...verdictOf(id) }));
    const open = ways.filter(({ isAllowed }) => isAllowed);
    const [first = ways[0]] = open;
    if (open.length > 1) return { isAllowed: true, asks: words.asksWhich, ways };
    return { isAllowed: false, ...first, ways };
  };
}

/** What is said of several cards together: they may go where one of them may; each is judged by itself when they are let go. */
export function together(verdicts: readonly ColumnVerdict[]): ColumnVerdict {
  return verdicts.find(({ isAllowed }) => isAllowed) ?? verdicts[0] ?? { isAllowed: false, ways: [] };
}
