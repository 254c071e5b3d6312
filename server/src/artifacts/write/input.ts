import { invalid, partsOf, Refusal, type RefusalExtras, refuseTogether } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/values.ts';
import { xmlName } from '../../kernel/xml-text.ts';
import type {
  Entry,
  Field,
  LinkRequest,
  Stored,
  Tracker,
  TrackerView,
  WritingContext,
} from '../../trackers/index.ts';
import { amendingIn, refuseBoth, wrongValue } from '../../trackers/index.ts';
import type { Document } from '../model.ts';

/** What a request asks for, field by field. */
export interface Submission {
  readonly values: ReadonlyMap<Field, Stored>;
  readonly links: { readonly field: Field; readonly input: LinkRequest } | undefined;
  readonly faults: Faults;
}

/** What is wrong with the value of a field. */
export const faultOf = ({ id }: Field, detail: string, extras: RefusalExtras = {}) =>
  new Refusal('invalid', detail, { ...extras, fieldId: id });

/** What is wrong with a request, field by field: all of it is told at once. */
export class Faults {
  readonly #faults = new Map<Field, Refusal>();

  has(field: Field): boolean {
    return this.#faults.has(field);
  }

  /** Runs what may refuse; what is merely wrong is kept, everything else ends the request. */
  async gather<T>(field: Field, read: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
      this.#faults.set(field, error);
      return undefined;
    }
  }

  /** Refuses with all that is wrong. What is wrong with a value says what its field is called, and what it takes. */
  refuse(view: TrackerView, others: readonly Refusal[]): void {
    const own = [...this.#faults].flatMap(([field, fault]) =>
      view.knows(field)
        ? partsOf(fault).map(({ detail, extras }) => faultOf(field, detail, extras))
        : faultOf(field, `You are not allowed to write the field ${view.nameOf(field)}.`),
    );
    refuseTogether([...own, ...others]);
  }
}

function fieldIdOf(entry: Entry, position: number): number {
  const named = entry['field_id'];
  const isWritten = typeof named === 'string' && /^\s*\d{1,15}\s*$/.test(named);
  const id = typeof named === 'number' || isWritten ? Number(named) : Number.NaN;
  if (!Number.isSafeInteger(id))
    throw invalid(`\`values[${position}].field_id\` must be the id of a field, an integer.`);
  return id;
}

function usedField({ elementById }: Tracker, id: number): Field {
  const field = elementById.get(id);
  if (field?.isUsed && field.type.kind === 'field') return field;
  throw invalid(`Unknown field ${id}.`);
}

/** Entries with the field of each; of several for one field the last counts. */
function entriesByField(tracker: Tracker, entries: readonly unknown[]): Map<Field, Entry> {
  const byField = new Map<Field, Entry>();
  for (const [position, entry] of entries.entries()) {
    if (!isObject(entry)) throw invalid(`\`values[${position}]\` must be an object.`);
    const field = usedField(tracker, fieldIdOf(entry, position));
    byField.delete(field);
    byField.set(field, entry);
  }
  return byField;
}

const isEcho = (field: Field, entry: Entry, stored: Stored | undefined, context: WritingContext) =>
  stored !== undefined && field.type.value?.isEcho?.(field, entry, stored, context) === true;

/** Whether an entry adds single items or takes them away; refuses it where that means nothing. */
function isAmending(field: Field, entry: Entry, present: Document | undefined): boolean {
  const amended = amendingIn(entry);
  if (amended.length === 0) return false;
  const { code, amending } = field.type;
  const unfit = amended.find((name) => amending?.members.includes(name) !== true);
  if (unfit !== undefined) throw wrongValue(field, `\`${unfit}\` is not for fields of the type \`${code}\`.`);
  if (present === undefined)
    throw wrongValue(field, `\`${amended[0]}\` changes what is there: a new artifact needs the whole value.`);
  refuseBoth(field, entry, amended, amending?.whole ?? []);
  return true;
}

/** The value that an entry asks for; undefined where it asks for nothing. */
function valueIn(
  field: Field,
  entry: Entry,
  present: Document | undefined,
  context: WritingContext,
): Stored | undefined | Promise<Stored | undefined> {
  const rules = field.type.value;
  const stored = present?.[field.id];
  if (isAmending(field, entry, present)) return rules?.amend?.(field, entry, stored, context);
  if (rules?.accept === undefined || isEcho(field, entry, stored, context)) return undefined;
  return rules.accept(field, entry, context, stored);
}

/**
 * Reads the `values` of a request. `present`: of an artifact that exists, the values that the viewer may know; what is refused, and in
 * which words, would tell any other.
 */
export async function readEntries(
  context: WritingContext,
  entries: readonly unknown[],
  present?: Document,
): Promise<Submission> {
  const values = new Map<Field, Stored>();
  const faults = new Faults();
  let links: Submission['links'];
  for (const [field, entry] of entriesByField(context.tracker, entries)) {
    const { acceptLinks } = field.type;
    if (acceptLinks !== undefined) {
      const input = await faults.gather(field, () => {
        isAmending(field, entry, present);
        return acceptLinks(field, entry, context);
      });
      if (input !== undefined) links = { field, input };
    } else {
      const value = await faults.gather(field, () => valueIn(field, entry, present, context));
      if (value !== undefined) values.set(field, value);
    }
  }
  return { values, links, faults };
}

/** The field of this name. XML cannot write every name, and answers with one that is like it. */
function fieldNamed(fields: readonly Field[], name: string, isXml: boolean): Field | undefined {
  const field = fields.find((candidate) => candidate.name === name);
  return field ?? (isXml ? fields.find((candidate) => xmlName(candidate.name) === name) : undefined);
}

/** Reads `values_by_field`, which takes fields of a few simple types only. One that is not known is there under no name. */
export async function readByField(
  context: WritingContext,
  members: Readonly<Record<string, unknown>>,
  isKnown: (field: Field) => boolean,
): Promise<Submission> {
  const { tracker, isXml } = context;
  const fields = tracker.elements.filter(
    (field) => field.isUsed && field.type.kind === 'field' && isKnown(field),
  );
  const values = new Map<Field, Stored>();
  const faults = new Faults();
  for (const [name, entry] of Object.entries(members)) {
    const field = fieldNamed(fields, name, isXml);
    const accept = field?.type.value?.acceptByName;
    if (field === undefined) throw invalid(`Unknown field "${name}".`);
    if (accept === undefined)
      throw faultOf(field, `The field "${name}" cannot be set by \`values_by_field\`; use \`values\`.`);
    if (!isObject(entry))
      throw faultOf(field, `\`values_by_field.${name}\` must be an object with a \`value\`.`);
    const value = await faults.gather(field, () => accept(field, entry, context));
    if (value !== undefined) values.set(field, value);
  }
  return { values, links: undefined, faults };
}

export const requiredFault = (field: Field) =>
  faultOf(field, `The field ${field.label} (${field.name}) is required.`);
