import { findAccountsByNames, nameKey } from '../../identity/index.ts';
import type { Instant } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { type Page, type Slice, slice } from '../../kernel/paging.ts';
import type { Reader } from '../../storage/index.ts';
import type { Field, OutsideReference, Stored } from '../../trackers/index.ts';
import { findReferences, type ReferenceRow, readableReferences } from '../links/index.ts';
import type { Artifact, Document } from '../model.ts';
import { readArtifacts } from '../several.ts';
import { inParts } from '../store.ts';
import { readMoments } from '../totals/index.ts';
import type { ReadContext } from '../visibility.ts';
import { type Changeset, findVisibleOutlines, type Outline, readHistory } from './history.ts';
import { outsideReferences } from './related.ts';

export const timelineKinds = ['comments', 'changes', 'commits', 'references'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export interface TimelineRequest extends Page {
  readonly isDescending: boolean;
  readonly kinds: ReadonlySet<TimelineKind>;
}

/** A commit that names the artifact. */
export interface CommitEvent {
  readonly is: 'commit';
  readonly at: Instant;
  readonly reference: OutsideReference & { readonly details: NonNullable<OutsideReference['details']> };
}

/** A text of another artifact that names this one. */
export interface ReferenceEvent {
  readonly is: 'reference';
  readonly at: Instant;
  readonly by: number;
  readonly origin: string;
  readonly source: Artifact;
}

/** Something that happened to an artifact. */
export type TimelineEvent =
  | { readonly is: 'changeset'; readonly at: Instant; readonly outline: Outline }
  | CommitEvent
  | ReferenceEvent;

async function commitEvents({ reader, viewer, trackers }: ReadContext, id: number): Promise<CommitEvent[]> {
  const found = await outsideReferences({ reader, viewer, trackers }, [id]);
  return (found.get(id) ?? []).flatMap(({ details, ...reference }) =>
    details === undefined ? [] : { is: 'commit', at: details.at, reference: { ...reference, details } },
  );
}

const changesetIn = ({ origin }: ReferenceRow) =>
  origin.startsWith('comment:') ? Number(origin.slice('comment:'.length)) : undefined;

async function authorsOf(reader: Reader, ids: readonly number[]) {
  const query = reader.sql.selectFrom('changeset').select(['id', 'submitted_by', 'submitted_on']);
  const rows = await inParts(ids, (some) => reader.all(query.where('id', 'in', some)));
  return new Map(rows.map((row) => [row.id, { by: row.submitted_by, at: row.submitted_on }]));
}

/** Of a text in a field it is not known when it was written: then it is the first moment at which it can have been. */
async function referenceEvents(
  readContext: ReadContext,
  { row: { id, submitted_on: madeOn } }: Artifact,
): Promise<ReferenceEvent[]> {
  const { reader } = readContext;
  const rows = (await findReferences(reader, [id])).filter(
    ({ source_id, target_id }) => target_id === id && source_id !== id,
  );
  if (rows.length === 0) return [];
  const sources = await readArtifacts(readContext, [...new Set(rows.map(({ source_id }) => source_id))]);
  const byId = new Map(sources.map((source) => [source.row.id, source]));
  const readable = await readableReferences(reader, rows, (source) => byId.get(source)?.view);
  const authors = await authorsOf(
    reader,
    readable.flatMap((row) => changesetIn(row) ?? []),
  );
  return readable.flatMap((row): ReferenceEvent[] => {
    const source = byId.get(row.source_id);
    if (source === undefined) return [];
    const { submitted_by: by, submitted_on } = source.row;
    const at = Math.max(submitted_on, madeOn);
    return [{ is: 'reference', by, at, ...authors.get(changesetIn(row) ?? 0), origin: row.origin, source }];
  });
}

const isEarlier = (left: TimelineEvent, right: TimelineEvent) => left.at - right.at;

/** A page of what happened to an artifact, as far as the viewer gets to see it. */
export async function findTimeline(
  readContext: ReadContext,
  artifact: Artifact,
  { kinds, isDescending, ...page }: TimelineRequest,
): Promise<Slice<TimelineEvent>> {
  const outlines = await findVisibleOutlines(readContext, artifact);
  const shown = outlines.filter(
    ({ isCommented, isChange }) =>
      (isCommented && kinds.has('comments')) || (isChange && kinds.has('changes')),
  );
  const events: TimelineEvent[] = [
    ...shown.map((outline) => ({ is: 'changeset' as const, at: outline.at, outline })),
    ...(kinds.has('commits') ? await commitEvents(readContext, artifact.row.id) : []),
    ...(kinds.has('references') ? await referenceEvents(readContext, artifact) : []),
  ].sort(isEarlier);
  return slice(isDescending ? events.reverse() : events, page);
}

/** What a changeset changed of one field. */
export interface ChangedField {
  readonly field: Field;
  readonly before: Stored | undefined;
  readonly after: Stored;
}

/** A changeset with what it changed of fields that the viewer may read. */
export interface ChangesetWithChanges {
  readonly changeset: Changeset;
  readonly changes: readonly ChangedField[];
}

function changesIn({ view }: Artifact, before: Document, changes: Document): ChangedField[] {
  return view.shown.flatMap((field) => {
    const after = changes[field.id];
    return after === undefined || field.type.row === undefined
      ? []
      : { field, before: before[field.id], after };
  });
}

/** What some changesets changed, by their ids. */
async function readChanges(
  reader: Reader,
  artifact: Artifact,
  changesetIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ChangedField[]>> {
  const moments = await readMoments(reader, artifact.row.id, artifact.view.tracker, changesetIds);
  return new Map([...moments].map(([id, { before, changes }]) => [id, changesIn(artifact, before, changes)]));
}

/** Some changesets, with what they changed. */
export async function readChangesOf(
  readContext: ReadContext,
  artifact: Artifact,
  outlines: readonly Outline[],
): Promise<ChangesetWithChanges[]> {
  const { reader } = readContext;
  const changesets = await readHistory(readContext, artifact, outlines, { commentsOnly: true });
  const changes = await readChanges(
    reader,
    artifact,
    outlines.map(({ id }) => id),
  );
  return changesets.map((changeset) => ({ changeset, changes: changes.get(changeset.id) ?? [] }));
}

/** One changeset that the viewer gets to see. */
export async function requireVisibleOutline(
  readContext: ReadContext,
  artifact: Artifact,
  id: number,
): Promise<Outline> {
  const outline = (await findVisibleOutlines(readContext, artifact)).find((one) => one.id === id);
  if (outline === undefined) throw notFound('The artifact has no such changeset.');
  return outline;
}

/** The accounts of people whom commits name, by their names as commits write them. */
export async function findCommitters(
  reader: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const accounts = names.length === 0 ? [] : await findAccountsByNames(reader, names);
  const byKey = new Map(accounts.map(({ name, id }) => [nameKey(name), id]));
  return new Map(
    names.flatMap((name) => {
      const id = byKey.get(nameKey(name));
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}
