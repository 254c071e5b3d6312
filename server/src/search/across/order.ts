import { displayName } from '../../identity/index.ts';
import { invalid } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import { bindOf, type Family, findPeople, type TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import { type Key, newestFirst, type Order, type PlacedList, type Places } from '../index/index.ts';
import type { CrossQuery } from '../tql/index.ts';
import {
  type FieldPlace,
  familyOf,
  isAlwaysThere,
  isSemanticName,
  placesOf,
  semanticPlaces,
} from './names.ts';

/** Texts sort by the number that they begin with, and then as texts. */
interface SortText {
  readonly number: number;
  readonly text: Buffer;
}

const sortText = (text: string, hasNumber: boolean): SortText => ({
  number: hasNumber ? Number(/^\s*([-+]?\d+)/.exec(text)?.[1] ?? 0) : 0,
  // By bytes, as the databases do.
  text: Buffer.from(fold(text)),
});

const compared = (left: SortText, right: SortText) =>
  left.number - right.number || left.text.compare(right.text);

/** Gives every entry its place; equal texts have the same one. */
export function placed(
  lists: ReadonlyMap<number, ReadonlyMap<number, string>>,
  hasNumber: boolean,
): ReadonlyMap<number, Places> {
  const texts = new Set([...lists.values()].flatMap((entries) => [...entries.values()]));
  const sorted = [...texts]
    .map((text) => ({ text, key: sortText(text, hasNumber) }))
    .sort((left, right) => compared(left.key, right.key));
  const places = new Map<string, number>();
  let place = -1;
  sorted.forEach(({ text, key }, index) => {
    const before = sorted[index - 1]?.key;
    if (before === undefined || compared(before, key) !== 0) place += 1;
    places.set(text, place);
  });
  const placesIn = (entries: ReadonlyMap<number, string>) =>
    new Map([...entries].map(([entry, text]) => [entry, places.get(text) ?? 0]));
  return new Map([...lists].map(([id, entries]) => [id, placesIn(entries)]));
}

function refuseSeveral(name: string, places: readonly FieldPlace[]): void {
  if (places.some(({ field }) => field.type.isMultiple))
    throw invalid(`We cannot sort by ${name}: it can have several values at once.`);
}

async function listKey(
  { reader, viewer }: ReadContext,
  places: readonly FieldPlace[],
  hasNumber: boolean,
): Promise<Key> {
  const texts = new Map<number, ReadonlyMap<number, string>>();
  for (const { view, field } of places) {
    const { tracker } = view;
    const context = { reader, viewer, tracker, now: Date.now() };
    texts.set(tracker.id, await bindOf(field).sortTexts(field, context));
  }
  const placesById = placed(texts, hasNumber);
  const lists = places.map(({ view: { tracker }, field }): [number, PlacedList] => [
    tracker.id,
    { fieldId: field.id, places: placesById.get(tracker.id) ?? new Map() },
  ]);
  return { by: 'list', lists: new Map(lists) };
}

async function personKey(
  { reader, viewer }: ReadContext,
  views: readonly TrackerView[],
  who: 'submitter' | 'editor',
): Promise<Key> {
  const texts = new Map<number, ReadonlyMap<number, string>>();
  for (const { tracker } of views) {
    const people = await findPeople(reader, tracker.id, who);
    texts.set(tracker.id, new Map(people.map((account) => [account.id, displayName(viewer, account)])));
  }
  return { by: 'person', who, people: placed(texts, false) };
}

const fieldsOf = (places: readonly FieldPlace[]) =>
  new Map(places.map(({ view, field }) => [view.tracker.id, field.id]));

function fieldKey(
  readContext: ReadContext,
  name: string,
  places: readonly FieldPlace[],
  family: Family,
): Key | Promise<Key> {
  switch (family) {
    case 'text':
      return { by: 'text', fields: fieldsOf(places) };
    case 'number':
    case 'date':
    case 'date with time':
      return { by: 'measure', fields: fieldsOf(places) };
    default:
      refuseSeveral(name, places);
      return listKey(readContext, places, family === 'static list');
  }
}

async function alwaysThereKey(
  readContext: ReadContext,
  views: readonly TrackerView[],
  name: string,
): Promise<Key> {
  switch (name) {
    case '@submitted_on':
      return { by: 'fact', fact: 'submittedOn' };
    case '@last_update_date':
      return { by: 'fact', fact: 'modifiedOn' };
    case '@submitted_by':
      return personKey(readContext, views, 'submitter');
    case '@last_update_by':
      return personKey(readContext, views, 'editor');
    default:
      return { by: 'id' };
  }
}

/** What a name sorts by; undefined when no tracker has it. */
async function keyOf(
  readContext: ReadContext,
  views: readonly TrackerView[],
  name: string,
): Promise<Key | undefined> {
  if (isAlwaysThere(name)) return alwaysThereKey(readContext, views, name);
  if (name.startsWith('@') && !isSemanticName(name)) throw invalid(`We cannot sort by ${name}.`);
  const places = isSemanticName(name) ? semanticPlaces(views, name) : placesOf(views, name);
  if (name === '@status') refuseSeveral(name, places);
  if (name === '@status' && places.length > 0) return listKey(readContext, places, true);
  const family = familyOf(name, places);
  return family && fieldKey(readContext, name, places, family);
}

/** The order that a query asks for in these trackers. */
export async function orderOf(
  readContext: ReadContext,
  views: readonly TrackerView[],
  orderBy: CrossQuery['orderBy'],
): Promise<Order> {
  const key = orderBy && (await keyOf(readContext, views, orderBy.name));
  return key === undefined || orderBy === undefined
    ? newestFirst
    : { key, isDescending: orderBy.isDescending };
}
