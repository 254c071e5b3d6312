import type {
  Artifact,
  ChangedField,
  ChangesetWithChanges,
  RelatedData,
  StoredComment,
  TimelineEvent,
} from '../artifacts/index.ts';
import { formatInstant } from '../kernel/clock.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { type CellTexts, isCutCell } from '../trackers/index.ts';
import { type PresentationContext, titleOf, ValueWriter } from './artifacts.ts';
import { commentText } from './changesets.ts';

/** Texts in a timeline are to be compared; `GET …/changes` gives them whole. */
const texts: CellTexts = { longest: 4000, isSource: true };
const wholeTexts: CellTexts = { longest: Number.POSITIVE_INFINITY, isSource: true };

/** All that the entries of a timeline are made from. */
export interface TimelineData {
  readonly artifact: Artifact;
  readonly related: RelatedData;
  readonly presentation: PresentationContext;
  readonly viewer: Viewer;
  /** By the ids of the changesets. */
  readonly changesets: ReadonlyMap<number, ChangesetWithChanges>;
  /** Accounts by the names that commits give. */
  readonly committers: ReadonlyMap<string, number>;
}

/** A change of links to artifacts that the viewer does not see is no change to them. */
function changeText({ field, before, after }: ChangedField, writer: ValueWriter, how: CellTexts): string[] {
  const { row, acceptLinks } = field.type;
  if (row === undefined) return [];
  const cells = [before, after].map((value) => row.cell(field, value, writer, how));
  if (acceptLinks !== undefined && cells[0] === cells[1]) return [];
  return [
    `{"field_id":${field.id},"label":${JSON.stringify(field.label)},"type":"${row.type(field)}"` +
      `,"before":${cells[0]},"after":${cells[1]},"is_cut":${cells.some(isCutCell)}}`,
  ];
}

const changeTexts = (changes: readonly ChangedField[], writer: ValueWriter, how: CellTexts) =>
  `[${changes.flatMap((change) => changeText(change, writer, how)).join(',')}]`;

/** All changes of one changeset, whole. */
export const wholeChangesText = (
  artifact: Artifact,
  related: RelatedData,
  presentation: PresentationContext,
  changes: readonly ChangedField[],
): string => changeTexts(changes, new ValueWriter(artifact, related, presentation), wholeTexts);

/** What every entry has, with what kinds of them differ in. */
interface EntryParts {
  readonly id: string;
  readonly kind: string;
  readonly changesetId?: number;
  readonly isCreation?: boolean;
  readonly by: string;
  readonly at: number;
  readonly email?: string | null;
  readonly comment?: string;
  readonly isEdited?: boolean;
  readonly mayEdit?: boolean;
  readonly changes?: string;
  readonly commit?: object;
  readonly reference?: object;
}

const entryText = (entry: EntryParts): string =>
  `{"id":${JSON.stringify(entry.id)},"kind":"${entry.kind}","changeset_id":${entry.changesetId ?? null}` +
  `,"is_creation":${entry.isCreation ?? false},"submitted_by":${entry.by}` +
  `,"submitted_on":"${formatInstant(entry.at)}","email":${JSON.stringify(entry.email ?? null)}` +
  `,"comment":${entry.comment ?? null},"is_edited":${entry.isEdited ?? false}` +
  `,"may_edit":${entry.mayEdit ?? false},"changes":${entry.changes ?? '[]'}` +
  `,"commit":${JSON.stringify(entry.commit ?? null)},"reference":${JSON.stringify(entry.reference ?? null)}}`;

/** An empty comment is one that was removed. */
const isThere = (comment: StoredComment | null): comment is StoredComment =>
  comment !== null && comment.content !== '';

function changesetText(id: number, data: TimelineData, writer: ValueWriter): string {
  const { artifact, presentation, viewer } = data;
  const known = data.changesets.get(id);
  if (known === undefined) return '';
  const { changeset, changes } = known;
  const { by, at, comment, email, isCreation } = changeset;
  const { people } = presentation;
  const isCommented = isThere(comment);
  const isAuthor = by === viewer.userId && !isAnonymous(viewer);
  return entryText({
    id: `changeset-${id}`,
    kind: isCommented ? 'comment' : 'change',
    changesetId: id,
    isCreation,
    by: people.minimal(by),
    at,
    email: people.seesAddresses ? email : null,
    ...(isCommented ? { comment: commentText(artifact.view, comment, presentation) } : {}),
    isEdited: isCommented && comment.at !== at,
    mayEdit: isCommented && (isAuthor || artifact.view.isAdmin),
    changes: changeTexts(changes, writer, texts),
  });
}

/** Somebody whom a commit names and who has no account. */
const stranger = (name: string, { people }: PresentationContext) =>
  JSON.stringify({ ...JSON.parse(people.minimal(0)), display_name: name });

function eventText(event: TimelineEvent, data: TimelineData, writer: ValueWriter): string {
  const { presentation, related, committers } = data;
  const { people } = presentation;
  if (event.is === 'changeset') return changesetText(event.outline.id, data, writer);
  if (event.is === 'commit') {
    const { keyword: _, value, details, projectId } = event.reference;
    const repository = value.slice(0, value.lastIndexOf('/'));
    const committer = committers.get(details.author);
    return entryText({
      id: `commit-${value}`,
      kind: 'commit',
      by: committer === undefined ? stranger(details.author, presentation) : people.minimal(committer),
      at: event.at,
      commit: {
        ...{ repository, revision: details.revision, message: details.message },
        html_url: `/projects/${projectId}/svn/${repository}/revisions/${details.revision}`,
      },
    });
  }
  const { row, view } = event.source;
  return entryText({
    id: `reference-${row.id}-${event.origin}`,
    kind: 'reference',
    by: people.minimal(event.by),
    at: event.at,
    reference: {
      id: row.id,
      uri: `artifacts/${row.id}`,
      xref: `${view.tracker.itemName} #${row.id}`,
      html_url: `/plugins/tracker/?aid=${row.id}`,
      title: titleOf(event.source, new ValueWriter(event.source, related, presentation)),
    },
  });
}

/** Entries of a timeline: members of a JSON array. */
export function timelineTexts(events: readonly TimelineEvent[], data: TimelineData): string {
  const writer = new ValueWriter(data.artifact, data.related, data.presentation);
  return events
    .map((event) => eventText(event, data, writer))
    .filter((text) => text !== '')
    .join(',');
}
