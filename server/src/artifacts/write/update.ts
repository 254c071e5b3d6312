import { forbidden, notFound, Refusal } from '../../kernel/errors.ts';
import { requireProjectWritable } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { type Field, type Stored, stateOf } from '../../trackers/index.ts';
import type { WriteContext } from '../context.ts';
import { type LinkPlan, planLinks } from '../links/index.ts';
import { type Artifact, type ArtifactRow, type Document, isSameValue, linkField } from '../model.ts';
import { requireVisible, versionTag, type WrittenArtifact } from '../read/index.ts';
import { findLinks, lockArtifactAndRevisions } from '../store.ts';
import type { ReadContext } from '../visibility.ts';
import { beginChange, type Change } from './change.ts';
import type { Changes } from './changes.ts';
import { nextMoment, type SavedChangeset, saveChangeset } from './changeset.ts';
import { type CommentInput, storedComment } from './comment-text.ts';
import { faultOf, readEntries, requiredFault, type Submission } from './input.ts';
import { type LockedArtifact, lockFor } from './locks.ts';
import { saveOtherEnds } from './other-ends.ts';
import { setOffTriggers } from './triggers.ts';
import { type GovernedChanges, govern } from './workflow.ts';

/** What the caller believes the artifact to be. */
export interface Precondition {
  /** Version parts of the tags in If-Match; `*` for any version. */
  readonly tags?: readonly string[];
  /** The second of If-Unmodified-Since; null when it was not a date. */
  readonly second?: number | null;
}

export interface ArtifactUpdate {
  readonly id: number;
  /** Where given, artifacts of other trackers are as good as none. */
  readonly trackerId?: number;
  readonly entries: readonly unknown[];
  readonly comment: CommentInput | undefined;
  readonly precondition: Precondition;
  readonly isXml?: boolean;
}

function checkPrecondition({ tags, second }: Precondition, row: ArtifactRow): void {
  const isTagged = tags === undefined || tags.includes('*') || tags.includes(versionTag(row));
  const isTimely = second === undefined || second === Math.floor(row.modified_on / 1000);
  if (!isTagged || !isTimely)
    throw new Refusal('precondition-failed', 'The artifact has been modified since you last requested it.');
}

/** Refuses unless the viewer may see the artifact and its project takes changes. */
export async function requireUpdatable(readContext: ReadContext, row: ArtifactRow): Promise<Artifact> {
  const artifact = await requireVisible(readContext, row);
  const { reader, viewer, trackers, revisions } = readContext;
  const { project } = await trackers.projectAccess(
    reader,
    viewer,
    artifact.view.tracker.project.id,
    revisions,
  );
  if (project === undefined) throw forbidden('You may not see this artifact.');
  requireProjectWritable(project);
  return artifact;
}

/**
 * The artifact, when the viewer may change it; nobody else changes it before the transaction ends. `locked`: what was read of it when
 * it was locked, where it is.
 */
export async function lockUpdatable(
  { tx, viewer, trackers }: WriteContext,
  id: number,
  locked?: LockedArtifact,
): Promise<{ readContext: ReadContext; artifact: Artifact }> {
  const { found } = locked ?? { found: await lockArtifactAndRevisions(tx, id) };
  if (found === undefined) throw notFound('There is no such artifact.');
  const readContext = { reader: tx, viewer, trackers, revisions: found.revisions };
  return { readContext, artifact: await requireUpdatable(readContext, found.row) };
}

/** The present values that the viewer may know: comparing with any other would tell what it is. */
function knownDocument({ view, document }: Artifact): Document {
  const known = Object.entries(document).filter(([id]) => {
    const field = view.tracker.elementById.get(Number(id));
    return field !== undefined && view.canRead(field);
  });
  return Object.fromEntries(known);
}

function changesNothing(field: Field, stored: Stored | undefined, value: Stored): boolean {
  const { isEmptyRemoval, isEmpty } = field.type.value ?? {};
  const removesNothing = stored === undefined && isEmptyRemoval === true && isEmpty?.(value) === true;
  return removesNothing || isSameValue(field, stored, value);
}

/** The submitted values that differ from the stored ones, as far as the viewer may know these. */
function changedValues({ values }: Submission, { view, document }: Artifact): Map<Field, Stored> {
  return new Map(
    [...values].filter(
      ([field, value]) => !view.canRead(field) || !changesNothing(field, document[field.id], value),
    ),
  );
}

/** Whether links are missing where they are required: all were taken away now, or there is none and nothing is said of them. */
function lacksLinks({ links: requested }: Submission, links: LinkPlan | undefined, present: number): boolean {
  if (links?.after !== undefined) return links.after.length === 0;
  return present === 0 && requested?.input.forward === undefined;
}

function requiredFaults(
  { view, document }: Artifact,
  submission: Submission,
  links: LinkPlan | undefined,
  present: number,
) {
  const required = view.tracker.elements.filter(
    (field) => field.isUsed && field.isRequired && view.canUpdate(field) && !submission.faults.has(field),
  );
  return required.filter((field) => {
    const value = submission.values.get(field);
    if (field.type.acceptLinks !== undefined) return lacksLinks(submission, links, present);
    return value === undefined
      ? document[field.id] === undefined
      : field.type.value?.isEmpty?.(value) === true && !isSameValue(field, document[field.id], value);
  });
}

/** What the present state of the artifact does not let anybody change. Who may not change a field anyway is told no more of it. */
function frozenFaults(
  { view, document }: Artifact,
  changed: ReadonlyMap<Field, Stored>,
  links: LinkPlan | undefined,
): Refusal[] {
  const { frozen } = stateOf(view.tracker, document);
  if (frozen.size === 0) return [];
  const linked = links?.after === undefined ? undefined : linkField(view.tracker);
  const fields = [...changed.keys(), ...(linked === undefined ? [] : [linked])];
  return fields
    .filter((field) => frozen.has(field.id) && view.canUpdate(field))
    .map((field) =>
      faultOf(field, `Fields are not valid: the field ${field.label} cannot be changed in this state.`),
    );
}

function updateFaults(
  artifact: Artifact,
  submission: Submission,
  changed: ReadonlyMap<Field, Stored>,
  links: LinkPlan | undefined,
  present: number,
): Refusal[] {
  const { view } = artifact;
  const linked = submission.links?.field;
  const changesLinks = links !== undefined && (links.after !== undefined || links.others.length > 0);
  const linkFields = linked !== undefined && (changesLinks || !view.canRead(linked)) ? [linked] : [];
  const refused = [...changed.keys(), ...linkFields].filter((field) => !view.canUpdate(field));
  return [
    ...refused.map((field) =>
      faultOf(field, `You are not allowed to update the field ${view.nameOf(field)}.`),
    ),
    ...frozenFaults(artifact, changed, links),
    ...requiredFaults(artifact, submission, links, present).map(requiredFault),
  ];
}

interface PreparedUpdate {
  readonly readContext: ReadContext;
  readonly change: Change;
  readonly artifact: Artifact;
  readonly links: LinkPlan | undefined;
  /** Undefined where nothing differs. */
  readonly changes: GovernedChanges | undefined;
  readonly at: number;
  /** What was read of it when it was locked, where it was. */
  readonly locked: LockedArtifact | undefined;
}

const isNothing = ({ values, links, comment }: Changes) =>
  values.size === 0 && links === undefined && comment === undefined;

/** All that changing an artifact takes but writing it; refuses what nobody may change. */
async function prepare(
  writeContext: WriteContext,
  { id, trackerId, entries, comment, precondition, isXml }: ArtifactUpdate,
): Promise<PreparedUpdate> {
  const { tx, trackers } = writeContext;
  const locked = await lockFor(tx, { id, entries, text: comment?.body, trackers });
  const { readContext, artifact } = await lockUpdatable(writeContext, id, locked);
  const { row, view, document } = artifact;
  const { tracker } = view;
  if ((trackerId ?? tracker.id) !== tracker.id)
    throw notFound(`There is no artifact ${id} in the tracker ${trackerId}.`);
  checkPrecondition(precondition, row);
  const known = knownDocument(artifact);
  const change = beginChange(writeContext, readContext, tracker, id, isXml);
  const submission = await readEntries(change.context, entries, known);
  const { links: requested, faults } = submission;
  const situation = { readContext, tx, tracker, artifactId: id };
  const links =
    requested && (await faults.gather(requested.field, () => planLinks(situation, requested.input)));
  const values = changedValues(submission, artifact);
  const present = links?.before.length ?? (await requiredLinks(tx, artifact, locked));
  faults.refuse(artifact.view, updateFaults(artifact, submission, values, links, present));
  const at = nextMoment(row.modified_on, change.context.now);
  const stored = await storedComment(change, comment, at, 'comment[body]');
  const wanted: Changes = { values, links: links?.after, comment: stored };
  const changes = isNothing(wanted)
    ? undefined
    : await govern({ change, tracker, actor: view, subject: { row, document }, changes: wanted, at });
  return { readContext, change, artifact, links, changes, at, locked };
}

/** How many links the artifact has; looked for only where some are required. */
async function requiredLinks(tx: Transaction, { row, view }: Artifact, locked: LockedArtifact | undefined) {
  if (linkField(view.tracker)?.isRequired !== true) return 0;
  const links = locked?.links ?? (await findLinks(tx, [row.id]));
  return links.filter(({ is_forward }) => is_forward === 1).length;
}

/** Refuses what `updateArtifact` would refuse, and tells whether anything differs. What it leaves behind is for the caller to undo. */
export async function checkUpdate(writeContext: WriteContext, update: ArtifactUpdate): Promise<boolean> {
  const { changes, links } = await prepare(writeContext, update);
  return changes !== undefined || (links?.others ?? []).length > 0;
}

/** Changes an artifact and comments on it. Nothing is written when nothing differs. */
export async function updateArtifact(
  writeContext: WriteContext,
  update: ArtifactUpdate,
): Promise<WrittenArtifact> {
  const { id } = update;
  const prepared = await prepare(writeContext, update);
  const { readContext, change, artifact, links, locked } = prepared;
  const { row: written, released, changesetId } = await save(prepared);
  await saveOtherEnds(change, id, links?.others ?? []);
  const saved = (await setOffTriggers(change, readContext)).get(id) ?? written;
  const isLinkedAnew = links?.after !== undefined || (links?.others ?? []).length > 0;
  // Read here, where the pages are at hand: whoever answers needs them.
  const readLinks = () => (artifact.view.needs.has('links') ? findLinks(writeContext.tx, [id]) : []);
  const present = isLinkedAnew || locked === undefined ? await readLinks() : locked.links;
  return { row: saved, revisions: readContext.revisions, links: present, released, changesetId };
}

async function save({
  change,
  artifact: { row, view, document },
  links,
  changes,
  at,
  locked,
}: PreparedUpdate): Promise<Partial<SavedChangeset> & Pick<SavedChangeset, 'row' | 'released'>> {
  if (changes === undefined) return { row, released: [] };
  const stored = { row, document, links: links?.before ?? [], changesetId: locked?.changesetId };
  return saveChangeset(change, view.tracker, stored, changes, at);
}
