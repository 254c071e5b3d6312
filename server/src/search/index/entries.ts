import { fold } from '../../kernel/text.ts';
import type { Field, Stored } from '../../trackers/index.ts';

/** All that the index keeps of a value. */
export interface Entries {
  readonly values: readonly number[];
  readonly measures: readonly number[];
  /** Folded; undefined for nothing at all. */
  readonly text: string | undefined;
}

const noEntries: Entries = { values: [], measures: [], text: undefined };

/** What the index keeps of a value of a field. */
export function entriesOf(field: Field, value: Stored | undefined): Entries {
  const rules = field.type.value;
  if (value === undefined || rules === undefined) return noEntries;
  const words =
    rules.searchable === undefined || rules.isEmpty?.(value) ? undefined : rules.searchable(value);
  return {
    values: [...new Set(rules.indexed?.(field, value) ?? [])],
    measures: rules.measured?.(field, value) ?? [],
    text: words === undefined ? undefined : fold(words),
  };
}

/** The number under which the text of a field is kept; comments are those of field 0. */
export const textId = (fieldId: number, rowId: number) => fieldId * 2 ** 32 + rowId;
