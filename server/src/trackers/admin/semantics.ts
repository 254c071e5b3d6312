import { invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { readProjectAccess } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import type { SemanticRole } from '../field-type.ts';
import { valuesAmong } from '../lists/index.ts';
import {
  type Field,
  type FieldSemantic,
  noneValue,
  type ProgressSemantic,
  type SemanticName,
  type Semantics,
  type StatusSemantic,
  type TimeframeSemantic,
  type Tracker,
} from '../model.ts';
import { requireTrackerAmongOthers } from '../policy.ts';
import { requireSibling } from './hierarchy.ts';
import { onStatusChanges } from './settings.ts';

export interface TimeframeRequest {
  readonly startFieldId?: number;
  readonly durationFieldId?: number;
  readonly endFieldId?: number;
  readonly impliedFromTrackerId?: number;
}

export interface ProgressRequest {
  readonly totalFieldId?: number;
  readonly remainingFieldId?: number;
  readonly linkType?: '_is_child';
}

/** What shall be: absent semantics stay as they are, null ones go. */
export interface SemanticChanges {
  readonly title?: FieldSemantic | null;
  readonly description?: FieldSemantic | null;
  readonly status?: StatusSemantic | null;
  readonly contributor?: FieldSemantic | null;
  readonly timeframe?: TimeframeRequest | null;
  readonly progress?: ProgressRequest | null;
  readonly initial_effort?: FieldSemantic | null;
  readonly done?: Semantics['done'] | null;
  readonly tooltip?: Semantics['tooltip'] | null;
}

function requireUsed({ elementById }: Tracker, id: number, member: string): Field {
  const field = elementById.get(id);
  if (field?.isUsed && field.type.kind === 'field') return field;
  throw invalidMember(member, `The tracker has no field ${id} in use.`);
}

/** A used field of the tracker that can have this role. */
function requireField(tracker: Tracker, id: number, role: SemanticRole, member: string): Field {
  const field = requireUsed(tracker, id, member);
  if (!field.type.roles?.includes(role))
    throw invalidMember(member, `A field of the type ${field.type.code} cannot be used here.`);
  return field;
}

function oneField(
  tracker: Tracker,
  name: SemanticName & SemanticRole,
  input: FieldSemantic | null | undefined,
): FieldSemantic | null | undefined {
  return input && { fieldId: requireField(tracker, input.fieldId, name, `${name}[field_id]`).id };
}

function contributor(tracker: Tracker, { fieldId }: FieldSemantic): FieldSemantic {
  const field = requireField(tracker, fieldId, 'contributor', 'contributor[field_id]');
  if (field.bind?.kind !== 'users')
    throw invalidMember('contributor[field_id]', 'The values of the field must be users.');
  return { fieldId };
}

/** With no value chosen, an empty status alone is open. */
async function status(tx: Transaction, tracker: Tracker, { fieldId, openIds }: StatusSemantic) {
  const field = requireField(tracker, fieldId, 'status', 'status[field_id]');
  const values = await valuesAmong(tx, tracker, field, openIds);
  const wrong = openIds.find((id) => id !== noneValue && !values.includes(id));
  if (wrong !== undefined)
    throw invalidMember('status[value_ids]', `${wrong} is not the id of a value of the field.`);
  return { fieldId, openIds: openIds.length === 0 ? [noneValue] : [...new Set(openIds)] };
}

/** Other trackers of the project whose timeframe is that of this one. */
async function hasImplied(tx: Transaction, { id, project }: Tracker): Promise<boolean> {
  const query = tx.sql
    .selectFrom('semantic')
    .innerJoin('tracker', 'tracker.id', 'semantic.tracker_id')
    .select('semantic.settings')
    .where('tracker.project_id', '=', project.id)
    .where('tracker.deleted_at', 'is', null)
    .where('semantic.name', '=', 'timeframe');
  return (await tx.all(query)).some(({ settings }) => JSON.parse(settings).impliedFromTrackerId === id);
}

async function checkStaysOwn(tx: Transaction, tracker: Tracker): Promise<void> {
  if (await hasImplied(tx, tracker))
    throw invalidMember('timeframe', 'Other trackers take their timeframe from this one.');
}

async function implied(
  tx: Transaction,
  viewer: Viewer,
  tracker: Tracker,
  id: number,
): Promise<TimeframeSemantic> {
  const member = 'timeframe[implied_from_tracker]';
  const projectAccess = await readProjectAccess(tx, viewer, tracker.project.id);
  const source = await requireSibling(tx, projectAccess, { id, member });
  const { timeframe } = source.semantics;
  if (id === tracker.id || (timeframe !== undefined && 'impliedFromTrackerId' in timeframe))
    throw invalidMember(member, 'It must be another tracker, with a timeframe of its own.');
  await checkStaysOwn(tx, tracker);
  return { impliedFromTrackerId: id };
}

async function timeframe(
  tx: Transaction,
  viewer: Viewer,
  tracker: Tracker,
  input: TimeframeRequest,
): Promise<TimeframeSemantic> {
  const {
    startFieldId: start,
    durationFieldId: duration,
    endFieldId: end,
    impliedFromTrackerId: source,
  } = input;
  const own = [start, duration, end].filter((id) => id !== undefined).length;
  if (source !== undefined && own === 0) return implied(tx, viewer, tracker, source);
  const field = (id: number, role: SemanticRole, name: string) =>
    requireField(tracker, id, role, `timeframe[${name}]`).id;
  if (source === undefined && own === 2 && start !== undefined) {
    const startFieldId = field(start, 'date', 'start_date_field_id');
    if (duration !== undefined)
      return { startFieldId, durationFieldId: field(duration, 'amount', 'duration_field_id') };
    if (end !== undefined && end !== start)
      return { startFieldId, endFieldId: field(end, 'date', 'end_date_field_id') };
  }
  throw invalidMember(
    'timeframe',
    'It must have start_date_field_id with either duration_field_id or another end_date_field_id, or implied_from_tracker alone.',
  );
}

function progress(
  tracker: Tracker,
  { totalFieldId: total, remainingFieldId: rest, linkType }: ProgressRequest,
): ProgressSemantic {
  if (linkType !== undefined && total === undefined && rest === undefined) return { linkType };
  if (linkType !== undefined || total === undefined || rest === undefined || total === rest)
    throw invalidMember(
      'progress',
      'It must have two different fields, total_effort_field_id and remaining_effort_field_id, or artifact_link_type alone.',
    );
  return {
    totalFieldId: requireField(tracker, total, 'amount', 'progress[total_effort_field_id]').id,
    remainingFieldId: requireField(tracker, rest, 'amount', 'progress[remaining_effort_field_id]').id,
  };
}

/** An empty list is no tooltip at all. */
function tooltip(tracker: Tracker, { fieldIds }: NonNullable<Semantics['tooltip']>) {
  for (const id of fieldIds) requireUsed(tracker, id, 'tooltip[field_ids]');
  return fieldIds.length === 0 ? null : { fieldIds: [...new Set(fieldIds)] };
}

/** Which values can be done depends on the status. */
const done = ({ valueIds }: NonNullable<Semantics['done']>) =>
  valueIds.length === 0 ? null : { valueIds: [...new Set(valueIds)] };

/** Each changed semantic after its own check; null for those that go. */
async function checked(
  tx: Transaction,
  viewer: Viewer,
  tracker: Tracker,
  input: SemanticChanges,
): Promise<{ readonly [Name in SemanticName]?: Semantics[Name] | null }> {
  if (input.timeframe === null && tracker.semantics.timeframe !== undefined) await checkStaysOwn(tx, tracker);
  return {
    title: oneField(tracker, 'title', input.title),
    description: oneField(tracker, 'description', input.description),
    contributor: input.contributor && contributor(tracker, input.contributor),
    progress: input.progress && progress(tracker, input.progress),
    initial_effort: oneField(tracker, 'initial_effort', input.initial_effort),
    done: input.done && done(input.done),
    tooltip: input.tooltip && tooltip(tracker, input.tooltip),
    status: input.status && (await status(tx, tracker, input.status)),
    timeframe: input.timeframe && (await timeframe(tx, viewer, tracker, input.timeframe)),
  };
}

/** Done are some of the values that are closed and can still be chosen. */
function checkDone({ elementById }: Tracker, { status: open, done: wanted }: Semantics): void {
  if (wanted === undefined) return;
  if (open === undefined)
    throw invalidMember('done', 'Done values are values of the status: without it there are none.');
  const values = elementById.get(open.fieldId)?.bind?.values ?? [];
  const closed = values.filter(({ id, isHidden }) => !isHidden && !open.openIds.includes(id));
  const wrong = wanted.valueIds.find((id) => !closed.some((value) => value.id === id));
  if (wrong !== undefined)
    throw invalidMember(
      'done[value_ids]',
      `${wrong} is not a closed value of the status that can be chosen.`,
    );
}

function checkTogether(tracker: Tracker, semantics: Semantics): void {
  checkDone(tracker, semantics);
  if (semantics.status === undefined && tracker.notificationLevel === onStatusChanges)
    throw invalidMember('status', 'Mails are sent on changes of status only: the status cannot be removed.');
}

async function store(tx: Transaction, tracker_id: number, name: string, value: object | null): Promise<void> {
  const old = tx.sql.deleteFrom('semantic').where('tracker_id', '=', tracker_id).where('name', '=', name);
  await tx.run(old);
  if (value === null) return;
  await tx.run(tx.sql.insertInto('semantic').values({ tracker_id, name, settings: JSON.stringify(value) }));
}

/** Changes what the fields of a tracker mean, all or nothing. */
export async function changeSemantics(
  tx: Transaction,
  viewer: Viewer,
  { id, ...input }: { id: number } & SemanticChanges,
): Promise<void> {
  const { tracker } = await requireTrackerAmongOthers(tx, viewer, id);
  const changes = Object.entries(await checked(tx, viewer, tracker, input)).filter(
    ([, value]) => value !== undefined,
  );
  const merged = { ...tracker.semantics, ...Object.fromEntries(changes) };
  const kept = Object.entries(merged).filter(([, value]) => value !== null);
  checkTogether(tracker, Object.fromEntries(kept));
  for (const [name, value] of changes) await store(tx, id, name, value);
  await trackerChanged(tx, viewer, tracker);
}
