import { invalidMember, Refusal } from '../../kernel/errors.ts';
import { isObject, scalarText } from '../../kernel/values.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import {
  anything,
  type Condition,
  type Field,
  mayName,
  nothing,
  plainId,
  type Report,
  type ReportLanguage,
  type SavedCriterion,
  type SearchContext,
  type TrackerExtension,
  type TrackerView,
} from '../../trackers/index.ts';
import { fieldFor } from '../field-names.ts';
import { comments, relabelledInQuery, renamedInQuery } from '../tql/index.ts';
import { allTogether, refuseUnknownMembers } from './criteria.ts';
import {
  commentCriterionCondition,
  commentCriterionIn,
  reportCriterionCondition,
  reportCriterionIn,
} from './report-criteria.ts';
import { selectedBy } from './selection.ts';

const asksNothing = (input: unknown) => input === null || input === undefined || input === '';

/** Ids of a list as they are kept: numbers, `"o7"` for what somebody typed, and others as they were given. */
const keptIds = (value: unknown): (number | string)[] =>
  [value].flat().map((item: unknown) => {
    const text = (scalarText(item) ?? '').trim().replace(/^b(?=\d)/, '');
    return plainId(text) ?? text;
  });

/** What a member of the criteria asks of a field, in the form in which it is kept. */
async function savedCriterion(
  key: string,
  field: Field,
  input: unknown,
  context: SearchContext,
): Promise<SavedCriterion> {
  const fieldId = field.id;
  if (asksNothing(input)) return { fieldId };
  const asks = reportCriterionIn(key, input);
  await reportCriterionCondition(key, field, asks, context);
  if (field.bind === null || asks.value === null) return { fieldId, asks };
  const value = keptIds(asks.value);
  return { fieldId, ...(value.length > 1 ? { isAdvanced: true } : {}), asks: { ...asks, value } };
}

function savedComment(input: unknown): SavedCriterion {
  if (asksNothing(input)) return { fieldId: null };
  const asks = commentCriterionIn(input);
  return asksNothing(asks.value) ? { fieldId: null } : { fieldId: null, asks };
}

const mostCriteria = 200;
const longestCriteria = 65_535;

function refuseLarge(criteria: readonly SavedCriterion[]): void {
  if (criteria.length > mostCriteria || JSON.stringify(criteria).length > longestCriteria)
    throw invalidMember('criteria', 'There is too much of them.');
  if (new Set(criteria.map(({ fieldId }) => fieldId)).size < criteria.length)
    throw invalidMember('criteria', 'A field is named more than once.');
}

const contextOf = (reader: Reader, viewer: Viewer, { tracker }: TrackerView): SearchContext => ({
  reader,
  viewer,
  tracker,
  now: Date.now(),
});

/** Criteria that shall be kept: as those of a request, with None among the values of lists, and comments. */
async function readSavedCriteria(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  input: unknown,
): Promise<readonly SavedCriterion[]> {
  if (input === null || (Array.isArray(input) && input.length === 0)) return [];
  if (!isObject(input)) throw invalidMember('criteria', 'It must be an object.');
  const context = contextOf(reader, viewer, view);
  const members = Object.entries(input).map(([key, value]) => ({ key, value, field: fieldFor(view, key) }));
  const isKnown = ({ key, field }: (typeof members)[number]) => key === comments.name || field !== undefined;
  refuseUnknownMembers(members.filter((member) => !isKnown(member)).map(({ key }) => key));
  const criteria: SavedCriterion[] = [];
  for (const { key, value, field } of members) {
    if (field === undefined) criteria.push(savedComment(value));
    else if (field.type.search !== undefined && mayName(view, field.id))
      criteria.push(await savedCriterion(key, field, value, context));
  }
  refuseLarge(criteria);
  allTogether(await conditionsOf(criteria, view, context));
  return criteria;
}

/** How reports read what they ask for. */
export const reportLanguage: ReportLanguage = {
  readCriteria: readSavedCriteria,
  async checkQuery(reader, viewer, view, query) {
    if (query.trim() !== '') await selectedBy(reader, viewer, view, { query });
  },
};

/** What follows of a change of a tracker for queries over it. */
export const queriesInTrackers: TrackerExtension = {
  renamedQuery: (query, renaming) =>
    'list' in renaming ? relabelledInQuery(query, renaming) : renamedInQuery(query, renaming),
};

/** What means nothing any more finds nothing. */
async function orNothing(made: () => Promise<Condition | undefined>): Promise<Condition | undefined> {
  try {
    return await made();
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return nothing;
    throw error;
  }
}

async function criterionCondition(
  { fieldId, asks }: SavedCriterion,
  view: TrackerView,
  context: SearchContext,
): Promise<Condition | undefined> {
  if (asks === undefined) return undefined;
  if (fieldId === null) return commentCriterionCondition(asks);
  const field = view.tracker.elementById.get(fieldId);
  if (field === undefined || !view.canRead(field)) return undefined;
  return reportCriterionCondition(field.name, field, asks, context);
}

/** What those of the criteria ask for that ask for something. */
async function conditionsOf(
  criteria: readonly SavedCriterion[],
  view: TrackerView,
  context: SearchContext,
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const criterion of criteria) {
    const condition = await orNothing(() => criterionCondition(criterion, view, context));
    if (condition !== undefined) conditions.push(condition);
  }
  return conditions;
}

/** What a report asks for, as somebody sees its tracker. */
export async function reportCondition(
  reader: Reader,
  viewer: Viewer,
  view: TrackerView,
  { usesQuery, query, criteria }: Report,
): Promise<Condition> {
  const condition = await orNothing(async () => {
    if (!usesQuery) return allTogether(await conditionsOf(criteria, view, contextOf(reader, viewer, view)));
    return query.trim() === '' ? anything : selectedBy(reader, viewer, view, { query });
  });
  return condition ?? nothing;
}
