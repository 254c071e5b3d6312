import { invalid, Refusal, refuseTogether } from '../../kernel/errors.ts';
import {
  anyOf,
  type Condition,
  type Field,
  listLinkTypes,
  not,
  nothing,
  type TrackerView,
  unlessNegated,
} from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import type { Target } from '../index/index.ts';
import {
  type Alternatives,
  conditionOf,
  fieldCondition,
  type LinkTerm,
  leavesOf,
  linkCondition,
  type NamedComparison,
} from '../tql/index.ts';
import { assigneeCondition } from './assignees.ts';
import {
  type FieldPlace,
  familyOf,
  isAlwaysThere,
  isSemanticName,
  placesOf,
  type QuerySemantic,
  semanticPlaces,
  standIn,
  tellsAlwaysThere,
} from './names.ts';

type Leaf = NamedComparison | LinkTerm;

/** What a part of WHERE means in each tracker where it means something, by their ids. */
interface Meaning {
  readonly conditions: ReadonlyMap<number, Condition>;
  /** Whether the whole query is about those trackers only. */
  readonly isLimiting: boolean;
}

/** What is looked through, by whom and when. */
export interface AcrossSearch {
  readonly readContext: ReadContext;
  readonly views: readonly TrackerView[];
  readonly now: number;
}

const contextIn = ({ readContext: { reader, viewer }, now }: AcrossSearch, { tracker }: TrackerView) => ({
  reader,
  viewer,
  tracker,
  now,
});

function refuseUnknown(names: readonly string[]): void {
  if (names.length === 0) return;
  const listed = [...new Set(names)].map((name) => `'${name}'`).join(', ');
  throw invalid(`We cannot search on ${listed}, we don't know what it refers to.`);
}

const isKnown = (views: readonly TrackerView[], name: string): boolean =>
  isAlwaysThere(name) || isSemanticName(name) || (!name.startsWith('@') && placesOf(views, name).length > 0);

/** Refuses names that mean nothing in any of the trackers, and those that mean different things. */
export function checkNames(views: readonly TrackerView[], tree: Alternatives): void {
  const names = leavesOf(tree).flatMap((leaf) => (leaf.is === 'comparison' ? leaf.name : []));
  refuseUnknown(names.filter((name) => !isKnown(views, name)));
  for (const name of new Set(names)) {
    if (isAlwaysThere(name)) continue;
    if (!isSemanticName(name)) familyOf(name, placesOf(views, name));
    else if (semanticPlaces(views, name).length === 0)
      throw invalid(`We cannot search on ${name}: it is defined in none of the trackers.`);
  }
}

/** A comparison with fields; it is refused only where it can be made with none of them. */
async function withFields(
  places: readonly FieldPlace[],
  comparison: NamedComparison,
  compare: (place: FieldPlace) => Promise<Condition>,
): Promise<ReadonlyMap<number, Condition>> {
  const conditions = new Map<number, Condition>();
  let fault: Refusal | undefined;
  let isPossible = false;
  for (const place of places) {
    try {
      conditions.set(place.view.tracker.id, await compare(place));
      isPossible = true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fault ??= error;
      // A value that this list does not have is the value of nothing in it.
      conditions.set(place.view.tracker.id, unlessNegated(comparison, nothing));
    }
  }
  if (!isPossible && fault !== undefined) throw fault;
  return conditions;
}

async function fieldMeaning(search: AcrossSearch, leaf: NamedComparison): Promise<Meaning> {
  const conditions = await withFields(placesOf(search.views, leaf.name), leaf, async ({ view, field }) => {
    const compare = field.type.across?.compare;
    const context = contextIn(search, view);
    return compare === undefined ? fieldCondition(field, leaf, context) : compare(field, leaf, context);
  });
  return { conditions, isLimiting: true };
}

/** Open are the values that the tracker calls so, and an empty status. */
function openCondition({ tracker }: TrackerView, { id: fieldId }: Field): Condition {
  const entries = tracker.semantics.status?.openIds ?? [];
  return anyOf([{ is: 'listed', fieldId, entries }, not({ is: 'filled', fieldId })]);
}

function requireOpen({ operator, values }: NamedComparison): void {
  if (operator !== '=' && operator !== '!=')
    throw invalid(`The name '@status' is not supported for the operator ${operator}.`);
  if (values[0]?.is !== 'open') throw invalid("The name '@status' can be compared to OPEN() only.");
}

async function semanticMeaning(
  search: AcrossSearch,
  leaf: NamedComparison,
  name: QuerySemantic,
): Promise<Meaning> {
  const places = semanticPlaces(search.views, name);
  if (name === '@status') requireOpen(leaf);
  const assigned = name === '@assigned_to' ? await assigneeCondition(search.readContext, leaf) : undefined;
  const conditions = await withFields(places, leaf, async ({ view, field }) => {
    if (name === '@status') return unlessNegated(leaf, openCondition(view, field));
    // Messages speak of the name that the query has.
    return assigned?.(field) ?? fieldCondition({ ...field, name }, leaf, contextIn(search, view));
  });
  return { conditions, isLimiting: name === '@description' || name === '@assigned_to' };
}

async function alwaysThereMeaning(search: AcrossSearch, leaf: NamedComparison): Promise<Meaning> {
  const { name } = leaf;
  if (!isAlwaysThere(name)) throw new Error(`${name} is not always there.`);
  const field = standIn(name);
  const views = search.views.filter((view) => tellsAlwaysThere(view, name));
  const [any] = search.views;
  const compare = field.type.alwaysThere?.compare;
  const condition = (any && (await compare?.(field, leaf, contextIn(search, any)))) ?? nothing;
  return { conditions: new Map(views.map(({ tracker }) => [tracker.id, condition])), isLimiting: false };
}

async function meaningOf(search: AcrossSearch, leaf: Leaf, linkTypes: readonly string[]): Promise<Meaning> {
  if (leaf.is === 'link') {
    const condition = linkCondition(leaf, linkTypes);
    const everywhere = search.views.map(({ tracker }): [number, Condition] => [tracker.id, condition]);
    return { conditions: new Map(everywhere), isLimiting: false };
  }
  if (isSemanticName(leaf.name)) return semanticMeaning(search, leaf, leaf.name);
  return isAlwaysThere(leaf.name) ? alwaysThereMeaning(search, leaf) : fieldMeaning(search, leaf);
}

/** What every part of WHERE means; refuses all that mean nothing at once. */
async function meaningsOf(search: AcrossSearch, tree: Alternatives): Promise<ReadonlyMap<Leaf, Meaning>> {
  const leaves = leavesOf(tree);
  const hasTypes = leaves.some((leaf) => leaf.is === 'link' && leaf.type !== undefined);
  const types = hasTypes
    ? (await listLinkTypes(search.readContext.reader)).map(({ shortname }) => shortname)
    : [];
  const meanings = new Map<Leaf, Meaning>();
  const faults: Refusal[] = [];
  for (const leaf of leaves) {
    try {
      meanings.set(leaf, await meaningOf(search, leaf, types));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push(error);
    }
  }
  refuseTogether(faults);
  return meanings;
}

/** What is looked for in each tracker; those that a condition leaves out are not among them. */
export async function targetsOf(search: AcrossSearch, tree: Alternatives): Promise<Target[]> {
  const meanings = await meaningsOf(search, tree);
  const limiting = [...meanings.values()].filter(({ isLimiting }) => isLimiting);
  const views = search.views.filter(({ tracker }) =>
    limiting.every(({ conditions }) => conditions.has(tracker.id)),
  );
  const targets: Target[] = [];
  for (const view of views) {
    const { id } = view.tracker;
    const condition = await conditionOf(
      tree,
      async (leaf) => meanings.get(leaf)?.conditions.get(id) ?? nothing,
    );
    targets.push({ view, condition });
  }
  return targets;
}
