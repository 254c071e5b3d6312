import { type Expression, expressionBuilder, type SqlBool, type Tables } from '../storage/index.ts';
import { noneValue, type TrackerView } from '../trackers/index.ts';

const on = expressionBuilder<Tables, 'artifact'>();

function hasValue(fieldId: number, values: readonly number[]): Expression<SqlBool> {
  const entries = on
    .selectFrom('artifact_value')
    .select('artifact_value.artifact_id')
    .whereRef('artifact_value.artifact_id', '=', 'artifact.id')
    .where('artifact_value.field_id', '=', fieldId);
  return on.exists(values.length === 0 ? entries : entries.where('artifact_value.value', 'in', values));
}

/** True, in a query over `artifact`, for the open artifacts of a tracker. Without a status that the viewer may read all of them are open. */
export function isOpen({ status }: TrackerView): Expression<SqlBool> {
  if (status === undefined) return on.lit(true);
  const { fieldId, openIds } = status;
  if (openIds.length === 0) return on.lit(false);
  const open = hasValue(fieldId, openIds);
  return openIds.includes(noneValue) ? on.or([open, on.not(hasValue(fieldId, []))]) : open;
}
