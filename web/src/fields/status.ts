import type { Tracker } from '@atelier/client/routes';
import type { StatusStage } from '../ui/index.ts';
import { possibleChoices } from './choice.ts';
import type { Field, StatusStages } from './model.ts';

const QUARTERS: readonly StatusStage[] = ['empty', 'quarter', 'half', 'three-quarters'];

export function statusField(tracker: Tracker): Field | undefined {
  const id = tracker.semantics.status?.field_id;
  return tracker.fields.find((field) => field.field_id === id);
}

function openStage(place: number, count: number): StatusStage {
  if (place === 0) return 'empty';
  if (count === 2) return 'half';
  return QUARTERS[Math.round((place * 3) / (count - 1))] ?? 'half';
}

/** The first open value is an empty ring, later ones fill up by their place, closed ones are full. */
export function statusStages(tracker: Tracker): StatusStages {
  const field = statusField(tracker);
  const stages = new Map<string, StatusStage>();
  if (field === undefined) return stages;
  const openIds = new Set((tracker.semantics.status?.value_ids ?? []).map(String));
  const choices = possibleChoices(field);
  const open = choices.filter((choice) => openIds.has(choice.id));
  for (const choice of choices) stages.set(choice.id, 'done');
  for (const [place, choice] of open.entries()) stages.set(choice.id, openStage(place, open.length));
  return stages;
}

/** How far the value of that name is, where only the name is known; undefined where the tracker has no such value. */
export function stageNamed(tracker: Tracker, name: string): StatusStage | undefined {
  const field = statusField(tracker);
  const choice = field && possibleChoices(field).find((one) => one.name === name);
  return choice && statusStages(tracker).get(choice.id);
}

/** Days that an artifact is late after: the end of its timeframe. */
export function dueFieldId(tracker: Tracker): number | undefined {
  return tracker.semantics.timeframe?.end_date_field_id;
}
