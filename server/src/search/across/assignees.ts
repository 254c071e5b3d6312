import { findAccountByName } from '../../identity/index.ts';
import {
  type ComparedValue,
  type Comparison,
  type Condition,
  comparedToNothing,
  type Field,
  incomparable,
  listOperators,
  not,
  refuseManyValues,
  refuseOtherThanSelf,
  unknownValues,
  unlessNegated,
} from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';

const name = { name: '@assigned_to' };
const assignee = { kind: 'name', ...listOperators };

async function accountFor({ reader, viewer }: ReadContext, value: ComparedValue): Promise<number> {
  if (value.is === 'myself') return refuseOtherThanSelf(viewer, name);
  if (value.is !== 'text' && value.is !== 'number') throw incomparable(assignee.kind, name, value);
  const account = await findAccountByName(reader, value.text);
  if (account === undefined) throw unknownValues(name, [value.text]);
  return account.id;
}

/** What a comparison with `@assigned_to` means for a field; people need not be able to be chosen in it. */
export async function assigneeCondition(
  readContext: ReadContext,
  comparison: Comparison,
): Promise<(field: Field) => Condition> {
  if (comparedToNothing(name, comparison, assignee))
    return ({ id: fieldId }) => unlessNegated(comparison, not({ is: 'filled', fieldId }));
  refuseManyValues(name, comparison.values);
  const ids = new Set<number>();
  for (const value of comparison.values) ids.add(await accountFor(readContext, value));
  return ({ id: fieldId }) => unlessNegated(comparison, { is: 'listed', fieldId, entries: [...ids] });
}
