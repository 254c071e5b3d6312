import type { StructureElement, Tracker } from '@atelier/client/routes';
import { type Field, fieldHolding, fieldTypeOf, holds, isContainer, shapeOf } from '../fields/index.ts';

/** A part of the form as its administrator built it. */
export interface FormPart {
  readonly field: Field;
  readonly parts: readonly FormPart[];
}

/** A fieldset of the page: what is wide stands alone, the rest in pairs of label and value. */
export interface Section {
  readonly id: number;
  /** Fields that stand in no fieldset have none. */
  readonly label: string | undefined;
  readonly wide: readonly Field[];
  readonly narrow: readonly Field[];
}

export interface Layout {
  readonly title: Field | undefined;
  readonly status: Field | undefined;
  readonly description: Field | undefined;
  /** Fields beside the text: who, when, how much. */
  readonly strip: readonly Field[];
  readonly sections: readonly Section[];
  readonly files: readonly Field[];
  readonly links: Field | undefined;
}

const isElement = (value: unknown): value is StructureElement =>
  typeof value === 'object' && value !== null && 'id' in value && 'content' in value;

/** The form; what one may not read leaves no hole. */
export function formParts(tracker: Tracker): FormPart[] {
  const fields = new Map(tracker.fields.map((field) => [field.field_id, field]));
  const read = (elements: readonly unknown[]): FormPart[] =>
    elements.filter(isElement).flatMap(({ id, content }) => {
      const field = fields.get(id);
      return field === undefined ? [] : [{ field, parts: read(content ?? []) }];
    });
  return read(tracker.structure);
}

/** What the page says elsewhere: in the address, beside the text, in the timeline, in lists of their own. */
const isSaidElsewhere = (field: Field): boolean =>
  fieldTypeOf(field.type).fact !== undefined ||
  (['files', 'links', 'references'] as const).some((content) => holds(field, content));

export function fieldsWithin(part: FormPart): Field[] {
  return isContainer(part.field) ? part.parts.flatMap(fieldsWithin) : [part.field];
}

function stripIds(tracker: Tracker): number[] {
  const { contributor, timeframe, initial_effort: effort, progress } = tracker.semantics;
  const priority = tracker.fields.find(
    ({ type, name }) => fieldTypeOf(type).chooses === 'one' && /^(priority|severity)/i.test(name),
  );
  const labels = tracker.fields
    .filter(({ type }) => fieldTypeOf(type).takesNewWords)
    .map(({ field_id: id }) => id);
  return [
    contributor?.field_id,
    priority?.field_id,
    timeframe?.start_date_field_id,
    timeframe?.end_date_field_id,
    timeframe?.duration_field_id,
    ...labels,
    effort?.field_id,
    progress?.total_effort_field_id,
    progress?.remaining_effort_field_id,
  ].filter((id) => id !== undefined);
}

/** Title and status on top, what has another semantic beside the text, the rest in the order of the form. */
export function layoutOf(tracker: Tracker, hiddenFieldsetIds: ReadonlySet<number>): Layout {
  const byId = new Map(tracker.fields.map((field) => [field.field_id, field]));
  const of = (id: number | undefined) => (id === undefined ? undefined : byId.get(id));
  const { semantics } = tracker;
  const title = of(semantics.title?.field_id);
  const status = of(semantics.status?.field_id);
  const description = of(semantics.description?.field_id);
  const strip = [...new Set(stripIds(tracker))]
    .flatMap((id) => of(id) ?? [])
    .filter((field) => field !== status);
  const placed = new Set([title, status, description, ...strip]);
  const roots = formParts(tracker).filter(({ field }) => !hiddenFieldsetIds.has(field.field_id));
  const shown = roots.flatMap(fieldsWithin);
  const sections = blocksOf(roots).flatMap((block): Section[] => {
    const rest = block.flatMap(fieldsWithin).filter((field) => !placed.has(field) && !isSaidElsewhere(field));
    const wide = rest.filter((field) => isWide(field));
    const narrow = rest.filter((field) => !isWide(field) && shapeOf(field) === undefined);
    const [first] = block;
    if (first === undefined || wide.length + narrow.length === 0) return [];
    const label = isContainer(first.field) ? first.field.label : undefined;
    return [{ id: first.field.field_id, label, wide, narrow }];
  });
  return {
    title,
    status,
    description,
    strip,
    sections,
    files: shown.filter((field) => holds(field, 'files')),
    links: fieldHolding(shown, 'links'),
  };
}

/** Each fieldset, and what stands between them without one, as it does all over where nobody made any. */
function blocksOf(roots: readonly FormPart[]): FormPart[][] {
  const blocks: FormPart[][] = [];
  for (const root of roots) {
    const last = blocks.at(-1);
    const isLoose = last?.every(({ field }) => !isContainer(field)) === true;
    if (isLoose && !isContainer(root.field)) last?.push(root);
    else blocks.push([root]);
  }
  return blocks;
}

const isWide = (field: Field): boolean => shapeOf(field) === 'words' || fieldTypeOf(field.type).isWide;
