import { noneValue } from './model.ts';
import { anyOf, anything, type Condition, not } from './query/index.ts';
import type { TrackerView } from './view.ts';

/** Artifacts that are open: without a status that the viewer may read all are, and those without a value where None is among the open values. */
export function isOpenCondition({ status }: TrackerView): Condition {
  if (status === undefined) return anything;
  const { fieldId, openIds } = status;
  const listed: Condition = { is: 'listed', fieldId, entries: openIds.filter((id) => id !== noneValue) };
  return openIds.includes(noneValue) ? anyOf([listed, not({ is: 'filled', fieldId })]) : listed;
}
