import { noneValue, type Tracker } from './model.ts';
import { anyOf, anything, type Condition, not } from './query/index.ts';

/** Artifacts that are open: those of a tracker without a status all are, and those without a value where None is among the open values. */
export function isOpenCondition({ semantics: { status } }: Pick<Tracker, 'semantics'>): Condition {
  if (status === undefined) return anything;
  const { fieldId, openIds } = status;
  const listed: Condition = { is: 'listed', fieldId, entries: openIds.filter((id) => id !== noneValue) };
  return openIds.includes(noneValue) ? anyOf([listed, not({ is: 'filled', fieldId })]) : listed;
}
