import {
  type Artifact,
  type Changeset,
  type CommentVersion,
  factsOf,
  type StoredComment,
  type Surroundings,
  shownGroups,
} from '../../artifacts/index.ts';
import { formatInstant } from '../../kernel/clock.ts';
import { type Field, type Stored, showText, type TrackerView } from '../../trackers/index.ts';
import { type Manner, ValueWriter } from './artifacts.ts';
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

  /** The entries of the values at a changeset. */
  *state(artifact: Artifact, { by, at, document }: Changeset): Generator<string> {
    if (document === undefined) return;
    this.artifact = { ...factsOf(artifact.row), modifiedBy: by, modifiedOn: at };
    yield* this.entries(artifact.view.shown, document);
  }
}

/** Of the changeset that made the artifact, and of comments that the viewer may not read. */
const bareComment = '{"body":"","post_processed_body":"","format":"text","ugroups":null}';
const noComment = '{"body":"","post_processed_body":"","format":"html","commonmark":"","ugroups":null}';

function groupsText(view: TrackerView, comment: StoredComment, { labels }: Manner): string {
  const groups = shownGroups(view, comment);
  if (groups === null) return 'null';
  return `[${groups.flatMap((id) => groupText(view.tracker, id, labels) ?? []).join(',')}]`;
}

const commentMembers = (view: TrackerView, comment: StoredComment, manner: Manner) =>
  `${showText(comment, ['body', 'post_processed_body'], manner)}` +
  `,"ugroups":${groupsText(view, comment, manner)}`;

function lastCommentText({ view }: Artifact, changeset: Changeset, manner: Manner): string {
  const { comment, hidesComment, isCreation } = changeset;
  if (comment !== null) return `{${commentMembers(view, comment, manner)}}`;
  return hidesComment || isCreation ? bareComment : noComment;
}

const personText = (people: PeopleSeen, id: number) => (id === 0 ? 'null' : people.minimal(id));

function* changesetParts(
  artifact: Artifact,
  changeset: Changeset,
  values: Iterable<string>,
  manner: Manner,
): Generator<string> {
  const { id, by, at, comment, email } = changeset;
  const { people } = manner;
  yield `{"id":${id},"submitted_by":${by},"submitted_by_details":${personText(people, by)}` +
    `,"submitted_on":"${formatInstant(at)}","email":${JSON.stringify(people.seesAddresses ? email : null)}` +
    `,"last_comment":${lastCommentText(artifact, changeset, manner)},"values":[`;
  yield* values;
  yield `],"last_modified_by":${personText(people, comment?.by ?? by)}` +
    `,"last_modified_date":"${formatInstant(comment?.at ?? at)}"}`;
}

/** Changesets with the state of the artifact at each: members of a JSON array, in parts. */
export function* changesetsParts(
  artifact: Artifact,
  changesets: readonly Changeset[],
  surroundings: Surroundings,
  manner: Manner,
): Generator<string> {
  const writer = new PastWriter(artifact, surroundings, manner);
  let isFirst = true;
  for (const changeset of changesets) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* changesetParts(artifact, changeset, writer.state(artifact, changeset), manner);
  }
}

/** The same as one text. */
export const changesetsText = (...about: Parameters<typeof changesetsParts>) =>
  `[${[...changesetsParts(...about)].join('')}]`;

/** A changeset of which only the comment matters. */
export const commentedText = (artifact: Artifact, changeset: Changeset, manner: Manner) =>
  [...changesetParts(artifact, changeset, [], manner)].join('');

export function commentVersionsText(
  { view }: Artifact,
  versions: readonly CommentVersion[],
  manner: Manner,
): string {
  const texts = versions.map(
    ({ version, comment }) =>
      `{"version":${version},${commentMembers(view, comment, manner)},"submitted_by":${comment.by}` +
      `,"submitted_by_details":${personText(manner.people, comment.by)}` +
      `,"submitted_on":"${formatInstant(comment.at)}"}`,
  );
  return `[${texts.join(',')}]`;
}
