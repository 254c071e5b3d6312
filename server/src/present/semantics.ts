import type { AllSemantics, Semantics as PresentedSemantics } from '@atelier/contract';
import type { Semantics, TrackerView } from '../trackers/index.ts';

/** What an answer may tell of semantics: those of readable fields, and of trackers that the viewer sees. */
interface SemanticsShown {
  isShown(fieldId: number): boolean;
  isTrackerShown(trackerId: number): boolean;
}

function oneField(semantic: { fieldId: number } | undefined, { isShown }: SemanticsShown) {
  return semantic !== undefined && isShown(semantic.fieldId) ? { field_id: semantic.fieldId } : undefined;
}

function statusOf({ status }: Semantics, { isShown }: SemanticsShown) {
  if (status === undefined || !isShown(status.fieldId)) return undefined;
  return { field_id: status.fieldId, value_ids: [...status.openIds] };
}

function timeframeOf({ timeframe }: Semantics, { isShown, isTrackerShown }: SemanticsShown) {
  if (timeframe === undefined) return undefined;
  if ('impliedFromTrackerId' in timeframe) {
    const id = timeframe.impliedFromTrackerId;
    return isTrackerShown(id) ? { implied_from_tracker: { id, uri: `trackers/${id}` } } : undefined;
  }
  const { startFieldId: start_date_field_id } = timeframe;
  const [second, member] =
    'endFieldId' in timeframe
      ? [timeframe.endFieldId, { end_date_field_id: timeframe.endFieldId }]
      : [timeframe.durationFieldId, { duration_field_id: timeframe.durationFieldId }];
  return isShown(start_date_field_id) && isShown(second) ? { start_date_field_id, ...member } : undefined;
}

function progressOf({ progress }: Semantics, { isShown }: SemanticsShown) {
  if (progress === undefined) return undefined;
  if ('linkType' in progress) return { artifact_link_type: progress.linkType };
  const { totalFieldId, remainingFieldId } = progress;
  if (!isShown(totalFieldId) || !isShown(remainingFieldId)) return undefined;
  return { total_effort_field_id: totalFieldId, remaining_effort_field_id: remainingFieldId };
}

/** In the order that the compatible API has; what is undefined is left out of the answer. */
function present(semantics: Semantics, shown: SemanticsShown): PresentedSemantics {
  return {
    title: oneField(semantics.title, shown),
    description: oneField(semantics.description, shown),
    status: statusOf(semantics, shown),
    contributor: oneField(semantics.contributor, shown),
    timeframe: timeframeOf(semantics, shown),
    progress: progressOf(semantics, shown),
    initial_effort: oneField(semantics.initial_effort, shown),
  };
}

/** The semantics that somebody who looks at the tracker is told. */
export function presentSemantics(
  { tracker, canRead }: TrackerView,
  isTrackerShown: (id: number) => boolean,
): PresentedSemantics {
  const isShown = (id: number) => {
    const field = tracker.elementById.get(id);
    return field !== undefined && canRead(field);
  };
  return present(tracker.semantics, { isShown, isTrackerShown });
}

/** All semantics, for those who administer the tracker. */
export function presentAllSemantics(semantics: Semantics): AllSemantics {
  const { done, tooltip } = semantics;
  return {
    ...present(semantics, { isShown: () => true, isTrackerShown: () => true }),
    done: done && { value_ids: [...done.valueIds] },
    tooltip: tooltip && { field_ids: [...tooltip.fieldIds] },
  };
}
