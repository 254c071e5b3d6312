import type { Artifact, RelatedData } from '../artifacts/index.ts';
import { invalid } from '../kernel/errors.ts';
import type { Field, FlatValue } from '../trackers/index.ts';
import { type PresentationContext, ValueWriter } from './artifacts.ts';

/** Between the labels of a list, in the format that has them in one text. */
const separator = ';';

function joined({ label }: Field, value: FlatValue): FlatValue {
  if (!Array.isArray(value)) return value;
  const wrong = value.find((item) => item.includes(separator));
  if (wrong !== undefined)
    throw invalid(
      `The value ${JSON.stringify(wrong)} of the field ${label} contains a semicolon: use the format flat.`,
    );
  return value.join(separator);
}

/** An artifact as one simple value for each field that has one, by short name. */
export function flatText(
  { row, view, document }: Artifact,
  related: RelatedData,
  presentation: PresentationContext,
  withJoinedLists: boolean,
  fields = view.shown,
): string {
  const writer = new ValueWriter({ row, view, document }, related, presentation);
  const members = fields.flatMap((field) => {
    const rules = field.type.value;
    const value = document[field.id];
    if (rules?.flat === undefined || (value === undefined && rules.isAlwaysShown !== true)) return [];
    const flat = rules.flat(field, value, writer);
    return `${JSON.stringify(field.name)}:${JSON.stringify(withJoinedLists ? joined(field, flat) : flat)}`;
  });
  return `{${members.join(',')}}`;
}
