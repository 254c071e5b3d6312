import type { Field, Tracker } from '../../trackers/index.ts';
import type { Document } from '../model.ts';

/** Whether values of the field are sums over linked artifacts. */
export const isSum = ({ type }: Field) => type.value?.needs?.includes('totals') === true;

const usedField = ({ elements }: Tracker, name: string) =>
  elements.find((element) => element.isUsed && element.name === name);

/** The field by which artifacts of the tracker are part of sums of this name. */
export function summedField(tracker: Tracker | undefined, name: string): Field | undefined {
  if (tracker === undefined || tracker.isDeleted) return undefined;
  const field = usedField(tracker, name);
  return field?.type.value?.contribution === undefined ? undefined : field;
}

/** What one artifact adds to sums of fields of this name; `descend`: what the artifacts linked to it add. */
export function contributionOf(
  tracker: Tracker | undefined,
  name: string,
  document: Document,
): number | null | 'descend' {
  const field = summedField(tracker, name);
  return field?.type.value?.contribution?.(field, document[field.id]) ?? null;
}

/** Whether artifacts of the tracker have sums over fields of this name. */
export function sumsUp(tracker: Tracker | undefined, name: string): boolean {
  const field = summedField(tracker, name);
  return field !== undefined && isSum(field);
}
