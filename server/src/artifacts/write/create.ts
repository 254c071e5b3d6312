import { forbidden, invalid, notFound, type Refusal } from '../../kernel/errors.ts';
import { requireProjectWritable } from '../../projects/index.ts';
import {
  type Field,
  lineOf,
  requireTrackersOf,
  type Stored,
  type TrackerView,
  unknownTracker,
} from '../../trackers/index.ts';
import type { WriteContext } from '../context.ts';
import { type LinkPlan, planLinks } from '../links/index.ts';
import { linkField, parseDocument } from '../model.ts';
import { requireVisible, type WrittenArtifact } from '../read/index.ts';
import { findArtifact } from '../store.ts';
import type { ReadContext } from '../visibility.ts';
import { readContextIn } from '../visibility.ts';
import { beginChange, type Change } from './change.ts';
import type { Changes } from './changes.ts';
import { insertNew } from './changeset.ts';
import { faultOf, readByField, readEntries, requiredFault, type Submission } from './input.ts';
import { type ChangeRequest, lockAround } from './locks.ts';
import { saveOtherEnds } from './other-ends.ts';
import { setOffTriggers } from './triggers.ts';
import { type GovernedChanges, govern, ungoverned } from './workflow.ts';

/** Where the values of a new artifact come from. */
export type ValueSource =
  | { readonly kind: 'values'; readonly entries: readonly unknown[] }
  | { readonly kind: 'by field'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'artifact'; readonly id: number };

export interface NewArtifact {
  readonly trackerId: number;
  readonly source: ValueSource;
  readonly isXml?: boolean;
}

async function requireSubmittable(readContext: ReadContext, trackerId: number): Promise<TrackerView> {
  const { reader, viewer, trackers, revisions } = readContext;
  const tracker = await trackers.find(reader, trackerId, revisions);
  if (tracker === undefined) throw unknownTracker();
  const projectAccess = await trackers.projectAccess(reader, viewer, tracker.project.id, revisions);
  requireTrackersOf(viewer, projectAccess, 'artifact');
  const view = await trackers.view(reader, viewer, tracker, revisions);
  if (!view.canSubmit) throw forbidden('You may not submit artifacts in this tracker.');
  if (projectAccess.project !== undefined) requireProjectWritable(projectAccess.project);
  return view;
}

/** The title of another artifact as the only value of a new one. */
async function copyTitle(readContext: ReadContext, id: number, { context }: Change): Promise<Submission> {
  const row = await findArtifact(readContext.reader, id);
  if (row === undefined) throw notFound(`There is no artifact ${id}.`);
  const { view } = await requireVisible(readContext, row);
  const source = view.tracker.elementById.get(view.tracker.semantics.title?.fieldId ?? 0);
  const value = source && view.canRead(source) ? parseDocument(row.document)[source.id] : undefined;
  const title = lineOf(value);
  if (title === '') throw invalid(`Artifact ${id} has no title to copy.`);
  const target = context.tracker.elementById.get(context.tracker.semantics.title?.fieldId ?? 0);
  if (target === undefined) throw invalid('The tracker has no title field.');
  return readByField(context, { [target.name]: { value: title, format: 'text' } }, () => true);
}

function read(
  readContext: ReadContext,
  { knows }: TrackerView,
  change: Change,
  source: ValueSource,
): Promise<Submission> {
  switch (source.kind) {
    case 'values':
      return readEntries(change.context, source.entries);
    case 'by field':
      return readByField(change.context, source.values, knows);
    case 'artifact':
      return copyTitle(readContext, source.id, change);
  }
}

function submittedFields({ values, links }: Submission): Field[] {
  return [...values.keys(), ...(links === undefined ? [] : [links.field])];
}

/** What was sent, and the defaults of everything that was not. */
async function withDefaults(
  { context }: Change,
  { values }: Submission,
): Promise<ReadonlyMap<Field, Stored>> {
  const complete = new Map<Field, Stored>();
  for (const field of context.tracker.elements) {
    if (!field.isUsed) continue;
    const value = values.has(field) ? values.get(field) : await field.type.value?.initial?.(field, context);
    if (value !== undefined) complete.set(field, value);
  }
  return complete;
}

function isMissing(field: Field, values: ReadonlyMap<Field, Stored>, links: LinkPlan | undefined): boolean {
  if (field.type.acceptLinks !== undefined) return (links?.after ?? []).length === 0;
  const value = values.get(field);
  return value === undefined || field.type.value?.isEmpty?.(value) === true;
}

function creationFaults(
  view: TrackerView,
  submission: Submission,
  values: ReadonlyMap<Field, Stored>,
  links: LinkPlan | undefined,
): Refusal[] {
  const refused = submittedFields(submission).filter((field) => !view.canSubmitField(field));
  const required = view.tracker.elements.filter(
    (field) =>
      field.isUsed && field.isRequired && view.canSubmitField(field) && !submission.faults.has(field),
  );
  return [
    ...refused.map((field) =>
      faultOf(field, `You are not allowed to submit the field ${view.nameOf(field)}.`),
    ),
    ...required.filter((field) => isMissing(field, values, links)).map(requiredFault),
  ];
}

async function planOf(
  readContext: ReadContext,
  { context: { tx, tracker } }: Change,
  { links, faults }: Submission,
): Promise<LinkPlan | undefined> {
  if (links === undefined || linkField(tracker) === undefined) return undefined;
  return faults.gather(links.field, () =>
    planLinks({ readContext, tx, tracker, artifactId: 0 }, links.input),
  );
}

/** The parts of a source that may name other artifacts. */
function namedBy(source: ValueSource): Pick<ChangeRequest, 'entries' | 'text'> {
  if (source.kind === 'values') return { entries: source.entries };
  return { entries: [], text: source.kind === 'by field' ? JSON.stringify(source.values) : undefined };
}

/** A title that is copied is taken as it is; whatever somebody sends goes through the workflow. */
async function governNew(
  change: Change,
  actor: TrackerView,
  { kind }: ValueSource,
  changes: Changes,
): Promise<GovernedChanges> {
  if (kind === 'artifact') return ungoverned(changes);
  const { tracker, now: at } = change.context;
  return govern({ change, tracker, actor, subject: { row: undefined, document: {} }, changes, at });
}

interface PreparedArtifact {
  readonly readContext: ReadContext;
  readonly change: Change;
  readonly links: LinkPlan | undefined;
  readonly changes: GovernedChanges;
}

/** All that creating an artifact takes but writing it; refuses what nobody may create. */
async function prepare(
  writeContext: WriteContext,
  { trackerId, source, isXml }: NewArtifact,
): Promise<PreparedArtifact> {
  const { tx, viewer, trackers } = writeContext;
  // What may be touched is locked in the trip that asks for the revisions; whoever is refused lets it go at once.
  const [readContext] = await Promise.all([
    readContextIn(tx, viewer, trackers),
    lockAround(tx, { id: 0, ...namedBy(source), trackers }),
  ]);
  const view = await requireSubmittable(readContext, trackerId);
  const change = beginChange(writeContext, readContext, view.tracker, 0, isXml);
  const submission = await read(readContext, view, change, source);
  const values = await withDefaults(change, submission);
  const links = await planOf(readContext, change, submission);
  submission.faults.refuse(view, creationFaults(view, submission, values, links));
  const wanted = { values, links: links?.after, comment: undefined };
  return { readContext, change, links, changes: await governNew(change, view, source, wanted) };
}

/** Refuses what `createArtifact` would refuse. What it leaves behind is for the caller to undo. */
export async function checkNew(writeContext: WriteContext, artifact: NewArtifact): Promise<void> {
  await prepare(writeContext, artifact);
}

/** Creates an artifact: everything or nothing. */
export async function createArtifact(
  writeContext: WriteContext,
  artifact: NewArtifact,
): Promise<WrittenArtifact> {
  const { readContext, change, links, changes } = await prepare(writeContext, artifact);
  const { row: made, changesetId } = await insertNew(change, changes);
  await saveOtherEnds(change, made.id, links?.others ?? []);
  const row = (await setOffTriggers(change, readContext)).get(made.id) ?? made;
  return { row, revisions: readContext.revisions, links: [], released: [], changesetId };
}
