import type { Form } from './form.ts';
import type { Random } from './random.ts';
import { type StoredText, title } from './texts.ts';

export interface Link {
  id: number;
  type: '' | '_is_child';
}

/** What one artifact says; how it is stored and how it is sent are made from this. */
export interface Draft {
  title: string;
  description: StoredText;
  status: readonly number[];
  severity: readonly number[];
  assignee: readonly number[];
  categories: readonly number[];
  startDate: string;
  dueDate: string;
  effort: number;
  points: number;
  /** Other artifacts; some of them are children. */
  links: readonly Link[];
}

const dayMs = 86_400_000;
const firstDay = Date.UTC(2022, 0, 1);
const days = Array.from({ length: 1500 }, (_, index) =>
  new Date(firstDay + index * dayMs).toISOString().slice(0, 10),
);
const longest = 60;

/** Another third of the choices falls on the first half of the list: some values are frequent, others are not. */
function unevenly(random: Random, values: readonly number[]): number {
  const half = random.chance(1 / 3) ? 2 : 1;
  return values[random.below(values.length / half)] ?? 0;
}

/** The first value that often, otherwise any of the others. */
function mostly(random: Random, values: readonly number[], share: number): number {
  if (random.chance(share)) return values[0] ?? 0;
  return values[1 + random.below(values.length - 1)] ?? 0;
}

function some(random: Random, values: readonly number[], most: number): number[] {
  const chosen: number[] = [];
  for (let left = random.below(most + 1); left > 0; left--) {
    const value = unevenly(random, values);
    if (!chosen.includes(value)) chosen.push(value);
  }
  return chosen;
}

/** The values of a draft that are not left to chance. */
type Given = Pick<Draft, 'description' | 'links'>;

export function draftOf(random: Random, { values, members }: Form, given: Given): Draft {
  const start = random.below(days.length - longest);
  return {
    title: title(random),
    // A fifth of all artifacts, and two fifths: what searches look for.
    status: [mostly(random, values.status, 1 / 5)],
    severity: random.chance(1 / 10) ? [] : [mostly(random, values.severity, 4 / 9)],
    assignee: some(random, members, 1),
    categories: some(random, values.categories, 3),
    startDate: days[start] ?? '',
    dueDate: days[start + random.below(longest)] ?? '',
    effort: random.below(80) / 2,
    points: random.below(21),
    ...given,
  };
}

/** The `values` of a request that creates such an artifact, or changes one into it. */
export function entriesOf(draft: Draft, { fields }: Form): Record<string, unknown>[] {
  const { content, format } = draft.description;
  return [
    { field_id: fields.title, value: draft.title },
    { field_id: fields.description, value: { content, format } },
    { field_id: fields.status, bind_value_ids: draft.status },
    { field_id: fields.severity, bind_value_ids: draft.severity },
    { field_id: fields.assignee, bind_value_ids: draft.assignee },
    { field_id: fields.categories, bind_value_ids: draft.categories },
    { field_id: fields.startDate, value: draft.startDate },
    { field_id: fields.dueDate, value: draft.dueDate },
    { field_id: fields.effort, value: draft.effort },
    { field_id: fields.points, value: draft.points },
    { field_id: fields.links, links: draft.links },
  ];
}

/** The `values` of a request that changes three fields into those of the draft. */
export function changeEntriesOf(draft: Draft, { fields }: Form): Record<string, unknown>[] {
  return [
    { field_id: fields.title, value: draft.title },
    { field_id: fields.status, bind_value_ids: draft.status },
    { field_id: fields.points, value: draft.points },
  ];
}

/** Every third artifact has a child. */
const childShare = 1 / 3;

/** Two artifacts of a range, by ascending ids as the product keeps links; fewer where there are not as many. */
export function twoOf(random: Random, range: { first: number; last: number; except?: number }): Link[] {
  const { first, last, except } = range;
  const others = last - first + (except === undefined ? 1 : 0);
  const chosen: number[] = [];
  while (chosen.length < Math.min(2, others)) {
    const id = first + random.below(last - first + 1);
    if (id !== except && !chosen.includes(id)) chosen.push(id);
  }
  const hasChild = random.chance(childShare);
  return chosen
    .sort((left, right) => left - right)
    .map((id, index) => ({ id, type: hasChild && index === 0 ? '_is_child' : '' }));
}
