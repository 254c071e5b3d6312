import type { Moved, MovingContext, Stored } from './field-type.ts';
import type { Field, Tracker } from './model.ts';

const familyOf = (field: Field) => field.type.move?.family(field) ?? field.type.code;

const usedFields = ({ elements }: Tracker) =>
  elements.filter(({ isUsed, type }) => isUsed && type.kind === 'field');

/** For each field of a tracker, the one of another tracker that takes over its values: of the same name, and of its family. */
export function takersOf(from: Tracker, to: Tracker): ReadonlyMap<Field, Field | undefined> {
  const byName = new Map(usedFields(to).map((field) => [field.name, field]));
  return new Map(
    usedFields(from).map((field) => {
      const taker = byName.get(field.name);
      return [field, taker !== undefined && familyOf(taker) === familyOf(field) ? taker : undefined];
    }),
  );
}

/** A value of one field in the field that takes it over. */
export async function takeOver(
  taker: Field,
  value: Stored,
  from: Field,
  context: MovingContext,
): Promise<Moved<Stored>> {
  return taker.type.move?.take(taker, value, from, context) ?? { value, isWhole: true };
}
