import { displayName } from '../../identity/index.ts';
import { invalidMember } from '../../kernel/errors.ts';
import { isAnonymous } from '../../kernel/viewer.ts';
import {
  bindOf,
  type Field,
  findPeople,
  type RowSort,
  type TrackerView,
  typedIn,
} from '../../trackers/index.ts';
import { isSemanticName, placed, semanticField } from '../across/index.ts';
import type { ReadContext } from '../context.ts';
import { fieldNamed } from '../field-names.ts';
import {
  type Places,
  type TableKey,
  type TableOrder,
  type TableSort,
  viewsOfParents,
} from '../index/index.ts';

/** Names of what every artifact has. */
const factNames: ReadonlyMap<string, RowSort> = new Map([
  ['id', 'id'],
  ['@id', 'id'],
  ['@rank', 'rank'],
  ['@submitted_on', 'submittedOn'],
  ['@last_update_date', 'modifiedOn'],
  ['@submitted_by', 'submitter'],
  ['@last_update_by', 'editor'],
]);

/** Texts by the entries of a list that artifacts have; what people typed has numbers below zero. */
export async function entryTexts(
  { reader, viewer }: ReadContext,
  { tracker }: TrackerView,
  field: Field,
): Promise<ReadonlyMap<number, string>> {
  const texts = await bindOf(field).sortTexts(field, { reader, viewer, tracker, now: Date.now() });
  const hidesTyped = field.bind?.kind === 'users' && isAnonymous(viewer);
  if (field.type.isOpen !== true || hidesTyped) return texts;
  const typed = [...(await typedIn(reader, field.id))].map(([id, label]) => [-id, label] as const);
  return new Map([...texts, ...typed]);
}

const placesAmong = (texts: ReadonlyMap<number, string>, hasNumber: boolean): Places =>
  placed(new Map([[0, texts]]), hasNumber).get(0) ?? new Map();

/** What a list is sorted by. */
export async function listKey(readContext: ReadContext, view: TrackerView, field: Field): Promise<TableKey> {
  const places = placesAmong(await entryTexts(readContext, view, field), field.bind?.kind === 'static');
  return { by: 'list', fieldId: field.id, isMultiple: field.type.isMultiple === true, places };
}

/** What people are sorted by, and their names. */
export async function personKey(
  { reader, viewer }: ReadContext,
  { tracker }: TrackerView,
  who: 'submitter' | 'editor',
): Promise<Extract<TableKey, { by: 'person' }> & { readonly names: ReadonlyMap<number, string> }> {
  const people = await findPeople(reader, tracker.id, who);
  const names = new Map(people.map((account) => [account.id, displayName(viewer, account)]));
  return { by: 'person', who, places: placesAmong(names, false), names };
}

async function keyOf(
  readContext: ReadContext,
  view: TrackerView,
  sort: RowSort,
  field: Field | undefined,
): Promise<TableKey | undefined> {
  switch (sort) {
    case 'submitter':
    case 'editor':
      return personKey(readContext, view, sort);
    case 'measure':
    case 'text':
      return field && { by: sort, fieldId: field.id };
    case 'list':
      return field && listKey(readContext, view, field);
    default:
      return { by: 'fact', fact: sort };
  }
}

/** The dates that begin and end the work on an artifact, where its own fields tell them. */
function timeframeField({ tracker }: TrackerView, name: string): Field | undefined {
  const { timeframe } = tracker.semantics;
  if (timeframe === undefined || !('startFieldId' in timeframe)) return undefined;
  if (name === '@start') return tracker.elementById.get(timeframe.startFieldId);
  return name === '@end' && 'endFieldId' in timeframe
    ? tracker.elementById.get(timeframe.endFieldId)
    : undefined;
}

const unsortable = (name: string) => invalidMember('sort', `Rows cannot be sorted by ${name}.`);

/** The field that a name means; null where the viewer may not read it. */
function fieldFor(view: TrackerView, name: string): Field | null {
  if (isSemanticName(name)) return semanticField(view, name) ?? null;
  const found = name.startsWith('@')
    ? timeframeField(view, name)
    : fieldNamed(
        view.tracker.elements.filter(({ type, isUsed }) => isUsed && type.kind === 'field'),
        name,
      );
  if (found === undefined)
    throw name.startsWith('@') ? unsortable(name) : invalidMember('sort', `There is no field ${name}.`);
  return view.canRead(found) ? found : null;
}

/** What has which parent; undefined where the viewer sees no parents. */
async function parentKey(readContext: ReadContext, view: TrackerView): Promise<TableKey | undefined> {
  const views = await viewsOfParents(readContext, view);
  return views.length === 0 ? undefined : { by: 'parent', views };
}

/** What a name is sorted by; undefined where the viewer may not know it. */
async function sortOf(
  readContext: ReadContext,
  view: TrackerView,
  name: string,
): Promise<TableKey | undefined> {
  const fact = factNames.get(name);
  if (fact !== undefined) return keyOf(readContext, view, fact, undefined);
  if (name === '@parent') return parentKey(readContext, view);
  const field = fieldFor(view, name);
  if (field === null) return undefined;
  const sort = field.type.row?.sort;
  if (sort === undefined) throw unsortable(name);
  return keyOf(readContext, view, sort, field);
}

const mostKeys = 5;

/** The order that names ask for, those with a minus in front the other way round. */
export async function tableOrder(
  readContext: ReadContext,
  view: TrackerView,
  names: readonly string[],
): Promise<TableOrder> {
  if (names.length > mostKeys) throw invalidMember('sort', `At most ${mostKeys} names can be given.`);
  const order: TableSort[] = [];
  for (const name of names) {
    const isDescending = name.startsWith('-');
    const key = await sortOf(readContext, view, isDescending ? name.slice(1) : name);
    if (key !== undefined) order.push({ key, isDescending });
  }
  return order;
}
