import type { Draft } from './draft.ts';
import type { Form } from './form.ts';
import type { StoredText } from './texts.ts';

/** One artifact on its way into the database. */
export interface NewArtifact {
  id: number;
  number: number;
  submittedBy: number;
  submittedOn: number;
  draft: Draft;
  /** The members of its document: JSON without braces. */
  members: string;
}

export const artifactColumns = [
  'id',
  'tracker_id',
  'number',
  'submitted_by',
  'submitted_on',
  'version',
  'modified_by',
  'modified_on',
  'related_version',
  'is_restricted',
  'document',
] as const;

/** A comment that somebody made a minute after the artifact; every twentieth has one. */
const commentedEvery = 20;
export const hasComment = ({ number }: Pick<NewArtifact, 'number'>) => number % commentedEvery === 0;
const commentDelay = 60_000;

export function artifactRow(artifact: NewArtifact, { trackerId }: Form) {
  const comments = hasComment(artifact) ? 1 : 0;
  const { id, number, submittedBy, submittedOn, members } = artifact;
  return [
    id,
    trackerId,
    number,
    submittedBy,
    submittedOn,
    1 + comments,
    submittedBy,
    submittedOn + comments * commentDelay,
    0,
    0,
    `{${members}}`,
  ] as const;
}

export const changesetColumns = [
  'artifact_id',
  'submitted_by',
  'submitted_on',
  'changes',
  'comment',
  'field_ids',
] as const;

/** The first changeset: all values and, other than the document, the links. */
export function changesetRow(artifact: NewArtifact, { fields }: Form) {
  const { id, submittedBy, submittedOn, members, draft } = artifact;
  const links = draft.links.map((link) => `[${link.id},"${link.type}"]`);
  const changes = `{${members},"${fields.links}":[${links}]}`;
  return [id, submittedBy, submittedOn, changes, null, fieldIdsOf(fields)] as const;
}

/** The fields of the first changeset. */
const fieldIdsOf = (fields: Form['fields']) =>
  idsText(
    ...[fields.title, fields.description, fields.status, fields.severity, fields.assignee, fields.categories],
    ...[fields.startDate, fields.dueDate, fields.effort, fields.points, fields.links],
  );

/** Fields as a changeset names them beside its changes. */
export const idsText = (...ids: readonly number[]): string =>
  ids.toSorted((left, right) => left - right).join(' ');

export const commentedColumns = ['id', ...changesetColumns] as const;

/** The second changeset of an artifact that has a comment: its title once more, for people to find. */
export function commentRow({ id, submittedBy, submittedOn, draft }: NewArtifact, changesetId: number) {
  const [content, at] = [draft.title, submittedOn + commentDelay];
  const comment = JSON.stringify({
    content,
    format: 'text',
    by: submittedBy,
    at,
    groups: null,
  });
  return [changesetId, id, submittedBy, at, '{}', comment, ''] as const;
}

const writtenTexts = new WeakMap<StoredText, string>();

/** Many artifacts share a text; each is written once. */
function written(text: StoredText): string {
  const known = writtenTexts.get(text) ?? JSON.stringify(text);
  writtenTexts.set(text, known);
  return known;
}

/** The values as they are kept, by field id. Written by hand: `JSON.stringify` of the whole takes thrice as long. */
export function membersOf(draft: Draft, { fields }: Form): string {
  return [
    `"${fields.title}":${JSON.stringify(draft.title)}`,
    `"${fields.description}":${written(draft.description)}`,
    `"${fields.status}":[${draft.status}]`,
    `"${fields.severity}":[${draft.severity}]`,
    `"${fields.assignee}":[${draft.assignee}]`,
    `"${fields.categories}":[${draft.categories}]`,
    `"${fields.startDate}":"${draft.startDate}"`,
    `"${fields.dueDate}":"${draft.dueDate}"`,
    `"${fields.effort}":${draft.effort}`,
    `"${fields.points}":${draft.points}`,
  ].join(',');
}

export const valueColumns = ['field_id', 'value', 'artifact_id'] as const;

/** The value by which the index of list values knows that nothing is chosen. */
const none = 100;
const orNone = (chosen: readonly number[]) => (chosen.length === 0 ? [none] : chosen);

export function valueRows({ id, draft }: Pick<NewArtifact, 'id' | 'draft'>, { fields }: Form) {
  return (['status', 'severity', 'assignee', 'categories'] as const).flatMap((name) =>
    orNone(draft[name]).map((value) => [fields[name], value, id] as const),
  );
}

export const linkColumns = ['source_id', 'target_id', 'type'] as const;

export function linkRows({ id, draft }: Pick<NewArtifact, 'id' | 'draft'>) {
  return draft.links.map((link) => [id, link.id, link.type] as const);
}
