import { invalid, Refusal, refuseTogether } from '../../kernel/errors.ts';
import {
  allOf,
  anyOf,
  type Comparison,
  type Condition,
  comparedText,
  comparedToNothing,
  type Field,
  listLinkTypes,
  not,
  onPart,
  type SearchContext,
  type TrackerView,
  textual,
  unlessNegated,
} from '../../trackers/index.ts';
import { fieldNamed } from '../field-names.ts';
import { linkCondition } from './links.ts';
import { type Alternatives, costOf, type LinkTerm, leavesOf, type NamedComparison } from './tree.ts';

type Leaf = NamedComparison | LinkTerm;

/** Refuses a condition that is more complex than the platform allows; 0: nothing is too complex. */
export function refuseComplex(condition: Alternatives, limit: number): void {
  const cost = costOf(condition);
  if (limit > 0 && cost > limit)
    throw invalid(
      `The query is too complex: its complexity is ${cost}, and at most ${limit} is allowed. Use fewer comparisons.`,
    );
}

export const comments = { kind: 'name', name: '@comments', ...textual };

/** Comments are the only thing that a query of one tracker finds beside the values of fields. */
export function commentCondition(comparison: Comparison): Condition {
  if (comparedToNothing(comments, comparison, comments))
    return unlessNegated(comparison, not({ is: 'commented', part: '' }));
  const text = comparedText(comments.kind, comments, comparison);
  return unlessNegated(
    comparison,
    onPart(text, (part) => ({ is: 'commented', part })),
  );
}

const searchableField = ({ readable }: TrackerView, name: string): Field | undefined =>
  fieldNamed(
    readable.filter(({ type }) => type.kind === 'field'),
    name,
  );

/** Refuses names that mean nothing to whoever looks, all of them at once. */
function refuseUnknownNames(leaves: readonly Leaf[], view: TrackerView): void {
  const names = leaves.flatMap((leaf) => (leaf.is === 'comparison' ? leaf.name : []));
  const unknown = names.filter((name) => name !== comments.name && searchableField(view, name) === undefined);
  if (unknown.length === 0) return;
  const listed = [...new Set(unknown)].map((name) => `'${name}'`).join(', ');
  throw invalid(
    `We cannot search on ${listed}, we don't know what it refers to. Fields are named by their short names.`,
  );
}

/** What a comparison means for one field; refuses what the field cannot be compared to. */
export async function fieldCondition(
  field: Field,
  comparison: Comparison,
  context: SearchContext,
): Promise<Condition> {
  const { search } = field.type;
  if (search?.compare === undefined)
    throw invalid(`The field '${field.name}' is not supported. Queries cannot search fields of its type.`);
  return search.compare(field, comparison, context);
}

/** Makes the condition of every leaf; refuses all that cannot be made at once. */
export async function conditionOf(
  tree: Alternatives,
  conditionFor: (leaf: Leaf) => Promise<Condition>,
): Promise<Condition> {
  const made = new Map<Leaf, Condition>();
  const faults: Refusal[] = [];
  for (const leaf of leavesOf(tree)) {
    try {
      made.set(leaf, await conditionFor(leaf));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push(error);
    }
  }
  refuseTogether(faults);
  return assembled(tree, made);
}

function assembled({ options }: Alternatives, made: ReadonlyMap<Leaf, Condition>): Condition {
  const whole = options.map((terms) =>
    allOf(
      terms.flatMap((term) => (term.is === 'alternatives' ? assembled(term, made) : (made.get(term) ?? []))),
    ),
  );
  return anyOf(whole);
}

/** What a query of one tracker means to somebody. */
export async function trackerCondition(
  tree: Alternatives,
  view: TrackerView,
  context: SearchContext,
): Promise<Condition> {
  const leaves = leavesOf(tree);
  refuseUnknownNames(leaves, view);
  const needsTypes = leaves.some((leaf) => leaf.is === 'link' && leaf.type !== undefined);
  const types = needsTypes ? (await listLinkTypes(context.reader)).map(({ shortname }) => shortname) : [];
  return conditionOf(tree, async (leaf) => {
    if (leaf.is === 'link') return linkCondition(leaf, types);
    const field = searchableField(view, leaf.name);
    return field === undefined ? commentCondition(leaf) : fieldCondition(field, leaf, context);
  });
}
