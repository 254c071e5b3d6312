import {
  type Artifact,
  type Changeset,
  type CommentVersion,
  factsOf,
  type RelatedData,
  type StoredComment,
  shownGroups,
} from '../artifacts/index.ts';
import { formatInstant } from '../kernel/clock.ts';
import { type Field, type Stored, showText, type TrackerView } from '../trackers/index.ts';
import { type PresentationContext, ValueWriter } from './artifacts.ts';
import type { PeopleSeen } from './people.ts';
import { groupText } from './tracker-texts.ts';

/** Writes one state of an artifact after another. What is the same in several of them is written once. */
class PastWriter extends ValueWriter {
  readonly #known = new Map<Field, { readonly value: Stored; readonly text: string | undefined }>();
  #references: string | undefined;

  override entry(field: Field, value: Stored | undefined): string | undefined {
    if (value === undefined) return super.entry(field, value);
    const known = this.#known.get(field);
    if (known?.value === value) return known.text;
    const text = super.entry(field, value);
    this.#known.set(field, { value, text });
    return text;
  }

  override references(): string {
    this.#references ??= super.references();
    return this.#references;
  }

  /** From now on what is asked for is of the time of this changeset. */
  goTo({ row }: Artifact, { by, at }: Changeset): void {
    this.artifact = { ...factsOf(row), modifiedBy: by, modifiedOn: at };
  }
}

/** Of the changeset that made the artifact, and of comments that the viewer may not read. */
const bareComment = '{"body":"","post_processed_body":"","format":"text","ugroups":null}';
const noComment = '{"body":"","post_processed_body":"","format":"html","commonmark":"","ugroups":null}';

function groupsText(view: TrackerView, comment: StoredComment, { labels }: PresentationContext): string {
  const groups = shownGroups(view, comment);
  if (groups === null) return 'null';
  return `[${groups.flatMap((id) => groupText(view.tracker, id, labels) ?? []).join(',')}]`;
}

const commentMembers = (view: TrackerView, comment: StoredComment, presentation: PresentationContext) =>
  `${showText(comment, ['body', 'post_processed_body'], presentation)}` +
  `,"ugroups":${groupsText(view, comment, presentation)}`;

/** A comment as it is. */
export const commentText = (
  view: TrackerView,
  comment: StoredComment,
  presentation: PresentationContext,
): string => `{${commentMembers(view, comment, presentation)}}`;

function lastCommentText(
  { view }: Artifact,
  changeset: Changeset,
  presentation: PresentationContext,
): string {
  const { comment, hidesComment, isCreation } = changeset;
  if (comment !== null) return `{${commentMembers(view, comment, presentation)}}`;
  return hidesComment || isCreation ? bareComment : noComment;
}

const personText = (people: PeopleSeen, id: number) => (id === 0 ? 'null' : people.minimal(id));

/** The address of somebody without an account. */
const addressText = (people: PeopleSeen, email: string | null = null) =>
  JSON.stringify(people.seesAddresses ? email : null);

/** What a changeset shows before and behind its values. */
function around(
  artifact: Artifact,
  changeset: Changeset,
  presentation: PresentationContext,
): readonly [string, string] {
  const { id, by, at, comment, email } = changeset;
  const { people } = presentation;
  return [
    `{"id":${id},"submitted_by":${by},"submitted_by_details":${personText(people, by)}` +
      `,"submitted_on":"${formatInstant(at)}","email":${addressText(people, email)}` +
      `,"last_comment":${lastCommentText(artifact, changeset, presentation)},"values":`,
    `,"last_modified_by":${personText(people, comment?.by ?? by)}` +
      `,"last_modified_date":"${formatInstant(comment?.at ?? at)}"}`,
  ];
}

/** Changesets with the state of the artifact at each: members of a JSON array. */
export function changesetTexts(
  artifact: Artifact,
  changesets: readonly Changeset[],
  related: RelatedData,
  presentation: PresentationContext,
): string {
  const writer = new PastWriter(artifact, related, presentation);
  const texts = changesets.map((changeset) => {
    const { document } = changeset;
    const [before, after] = around(artifact, changeset, presentation);
    writer.goTo(artifact, changeset);
    const values = document === undefined ? '[]' : writer.collection(artifact.view.shown, document);
    return before + values + after;
  });
  return texts.join(',');
}

/** The same in parts, each about as long as a value: for artifacts with much text. */
export function* changesetTextsInParts(
  artifact: Artifact,
  changesets: readonly Changeset[],
  related: RelatedData,
  presentation: PresentationContext,
): Generator<string> {
  const writer = new PastWriter(artifact, related, presentation);
  let lead = '';
  for (const changeset of changesets) {
    const { document } = changeset;
    const [before, after] = around(artifact, changeset, presentation);
    writer.goTo(artifact, changeset);
    yield `${lead}${before}[`;
    if (document !== undefined) yield* writer.entries(artifact.view.shown, document);
    yield `]${after}`;
    lead = ',';
  }
}

/** A changeset of which only the comment matters. */
export const commentedText = (artifact: Artifact, changeset: Changeset, presentation: PresentationContext) =>
  around(artifact, changeset, presentation).join('[]');

export function commentVersionsText(
  { view }: Artifact,
  versions: readonly CommentVersion[],
  presentation: PresentationContext,
): string {
  const texts = versions.map(
    ({ version, comment }) =>
      `{"version":${version},${commentMembers(view, comment, presentation)},"submitted_by":${comment.by}` +
      `,"submitted_by_details":${personText(presentation.people, comment.by)}` +
      `,"submitted_on":"${formatInstant(comment.at)}","email":${addressText(presentation.people, comment.email)}}`,
  );
  return `[${texts.join(',')}]`;
}
