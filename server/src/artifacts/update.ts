import { forbidden, invalid, notFound, Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { requireProjectWritable } from '../projects/index.ts';
import type { Transaction } from '../storage/index.ts';
import {
  type Field,
  type Stored,
  stateOf,
  storedText,
  type TextFormat,
  type Trackers,
} from '../trackers/index.ts';
import type { StoredComment } from './comments.ts';
import { govern } from './governing.ts';
import { type LinkPlan, planLinks } from './links.ts';
import { lockAround } from './locking.ts';
import { type Artifact, type ArtifactRow, type Document, isSameValue, linkField } from './model.ts';
import { requireVisible, type WrittenArtifact } from './reading.ts';
import { type Changes, nextMoment, type SavedChangeset, saveChangeset } from './saving.ts';
import { findLinks, lockArtifactAndRevisions } from './store.ts';
import { readEntries, requiredFault, type Submission } from './submission.ts';
import { setOffTriggers } from './triggers.ts';
import { versionTag } from './version.ts';
import type { Sight } from './visibility.ts';
import { beginChange, type Change, type Surrounding, saveOtherEnds } from './writing.ts';

/** What the caller believes the artifact to be. */
export interface Precondition {
  /** Version parts of the tags in If-Match; `*` for any version. */
  readonly tags?: readonly string[];
  /** The second of If-Unmodified-Since; null when it was not a date. */
  readonly second?: number | null;
}

export interface ArtifactUpdate {
  readonly id: number;
  readonly entries: readonly unknown[];
  readonly comment: { readonly body: string; readonly format: TextFormat } | undefined;
  readonly precondition: Precondition;
  readonly isXml?: boolean;
}

const mostCommentBytes = 65_535;

function checkPrecondition({ tags, second }: Precondition, row: ArtifactRow): void {
  const isTagged = tags === undefined || tags.includes('*') || tags.includes(versionTag(row));
  const isTimely = second === undefined || second === Math.floor(row.modified_on / 1000);
  if (!isTagged || !isTimely)
    throw new Refusal('precondition-failed', 'The artifact has been modified since you last requested it.');
}

/** Refuses unless the viewer may see the artifact and its project takes changes. */
export async function requireUpdatable(sight: Sight, row: ArtifactRow): Promise<Artifact> {
  const artifact = await requireVisible(sight, row);
  const { reader, viewer, trackers, revisions } = sight;
  const { project } = await trackers.standing(reader, viewer, artifact.view.tracker.project.id, revisions);
  if (project === undefined) throw forbidden('You may not see this artifact.');
  requireProjectWritable(project);
  return artifact;
}

/** The artifact, when the viewer may change it; nobody else changes it before the transaction ends. */
export async function lockUpdatable(
  tx: Transaction,
  viewer: Viewer,
  id: number,
  trackers: Trackers,
): Promise<{ sight: Sight; artifact: Artifact }> {
  const found = await lockArtifactAndRevisions(tx, id);
  if (found === undefined) throw notFound('There is no such artifact.');
  const sight = { reader: tx, viewer, trackers, revisions: found.revisions };
  return { sight, artifact: await requireUpdatable(sight, found.row) };
}

/** The present values that the viewer may know: comparing with any other would tell what it is. */
function knownDocument({ view, document }: Artifact): Document {
  const known = Object.entries(document).filter(([id]) => {
    const field = view.tracker.elementById.get(Number(id));
    return field !== undefined && view.canRead(field);
  });
  return Object.fromEntries(known);
}

/** The submitted values that differ from the stored ones. */
function changedValues({ values }: Submission, document: Document): Map<Field, Stored> {
  return new Map([...values].filter(([field, value]) => !isSameValue(field, document[field.id], value)));
}

function requiredFaults({ view, document }: Artifact, submission: Submission, links: LinkPlan | undefined) {
  const required = view.tracker.elements.filter(
    (field) => field.isUsed && field.isRequired && view.canUpdate(field) && !submission.faults.has(field),
  );
  return required.filter((field) => {
    const value = submission.values.get(field);
    if (field.type.acceptLinks !== undefined) return links?.after?.length === 0;
    return value === undefined
      ? document[field.id] === undefined
      : field.type.value?.isEmpty?.(value) === true && !isSameValue(field, document[field.id], value);
  });
}

/** What the present state of the artifact does not let anybody change. */
function frozenFaults(
  { view, document }: Artifact,
  changed: ReadonlyMap<Field, Stored>,
  links: LinkPlan | undefined,
): string[] {
  const { frozen } = stateOf(view.tracker, document);
  if (frozen.size === 0) return [];
  const linked = links?.after === undefined ? undefined : linkField(view.tracker);
  const fields = [...changed.keys(), ...(linked === undefined ? [] : [linked])];
  return fields
    .filter(({ id }) => frozen.has(id))
    .map(({ label }) => `Fields are not valid: the field ${label} cannot be changed in this state.`);
}

function updateFaults(
  artifact: Artifact,
  submission: Submission,
  changed: ReadonlyMap<Field, Stored>,
  links: LinkPlan | undefined,
): string[] {
  const { view } = artifact;
  const linked = submission.links?.field;
  const changesLinks = links !== undefined && (links.after !== undefined || links.others.length > 0);
  const linkFields = linked !== undefined && (changesLinks || !view.canRead(linked)) ? [linked] : [];
  const refused = [...changed.keys(), ...linkFields].filter((field) => !view.canUpdate(field));
  return [
    ...refused.map(({ label }) => `You are not allowed to update the field ${label}.`),
    ...frozenFaults(artifact, changed, links),
    ...requiredFaults(artifact, submission, links).map(requiredFault),
  ];
}

/** A comment for everybody, as changesets keep it; undefined when it has no text. */
export async function storedComment(
  { context }: Change,
  comment: ArtifactUpdate['comment'],
  at: number,
): Promise<StoredComment | undefined> {
  const body = comment?.body.trim() ?? '';
  if (comment === undefined || body === '') return undefined;
  if (Buffer.byteLength(body) > mostCommentBytes)
    throw invalid(
      `Invalid value specified for \`comment.body\`. It must have at most ${mostCommentBytes} bytes.`,
    );
  const text = await storedText(body, comment.format, context);
  return { ...text, by: context.viewer.userId, at, groups: null };
}

/** Changes an artifact and comments on it. Nothing is written when nothing differs. */
export async function updateArtifact(
  tx: Transaction,
  viewer: Viewer,
  { id, entries, comment, precondition, isXml }: ArtifactUpdate,
  surrounding: Surrounding,
): Promise<WrittenArtifact> {
  const { trackers } = surrounding;
  await lockAround(tx, { id, entries, text: comment?.body, trackers });
  const { sight, artifact } = await lockUpdatable(tx, viewer, id, trackers);
  checkPrecondition(precondition, artifact.row);
  const { view } = artifact;
  const known = knownDocument(artifact);
  const change = beginChange(tx, sight, view.tracker, id, surrounding, isXml);
  const submission = await readEntries(change.context, entries, known);
  const situation = { sight, tx, tracker: view.tracker, artifactId: id };
  const { links: wished, faults } = submission;
  const links = wished && (await faults.gather(wished.field, () => planLinks(situation, wished.wish)));
  const values = changedValues(submission, known);
  faults.refuse(updateFaults(artifact, submission, values, links));
  const at = nextMoment(artifact.row.modified_on, change.context.now);
  const changes: Changes = { values, links: links?.after, comment: await storedComment(change, comment, at) };
  const { row: written, released } = await save(change, artifact, changes, links, at);
  await saveOtherEnds(change, id, links?.others ?? []);
  const saved = (await setOffTriggers(change, sight)).get(id) ?? written;
  // Read here, where the pages are at hand: whoever answers needs them.
  const present = view.needs.has('links') ? await findLinks(tx, [id]) : [];
  return { row: saved, revisions: sight.revisions, links: present, released };
}

async function save(
  change: Change,
  { row, view, document }: Artifact,
  changes: Changes,
  links: LinkPlan | undefined,
  at: number,
): Promise<Pick<SavedChangeset, 'row' | 'released'>> {
  const isNothing = changes.values.size === 0 && changes.links === undefined && changes.comment === undefined;
  if (isNothing) return { row, released: [] };
  const { tracker } = view;
  const governed = await govern({ change, tracker, actor: view, subject: { row, document }, changes, at });
  const stored = { row, document, links: links?.before ?? [] };
  return saveChangeset(change, tracker, stored, governed, at);
}
