import { type ArchivedFile, findFilesOf } from '../../files/index.ts';
import { groupsByBytes } from '../../kernel/groups.ts';
import { type Reader, type Selectable, sql, type Tables } from '../../storage/index.ts';
import type { Artifact, ArtifactRow } from '../model.ts';
import { readAllReferences, type StoredReference } from '../move/index.ts';

/** All of an artifact but its history, as it is stored. */
export interface ArchivedFacts {
  readonly artifact: ArtifactRow;
  /** In both directions. */
  readonly links: readonly Tables['artifact_link'][];
  /** Groups that alone may see it. */
  readonly groups: readonly number[];
  readonly references: readonly StoredReference[];
  /** Also those that were removed before, of which history tells. */
  readonly files: readonly ArchivedFile[];
}

/** A changeset as it is stored, with the earlier versions of its comment. */
export interface ArchivedChangeset {
  readonly row: Selectable<Tables['changeset']>;
  readonly versions: readonly string[];
}

/** A deleted artifact that is read from its archive. */
export interface ArchivedArtifact {
  readonly facts: ArchivedFacts;
  changesets(): AsyncIterable<ArchivedChangeset>;
  /** The bytes of an attached file; undefined when the archive has none. */
  bytesOf(fileId: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  close(): Promise<void>;
}

/** Where deleted artifacts are archived. The room of archives gives it. */
export interface DeletionArchive {
  /** Writes all there is of an artifact and gives the name of the archive, which is durable then. Refuses when it cannot be written. */
  write(artifact: Artifact): Promise<string>;
  /** Removes an archive whose artifact was not deleted after all. */
  discard(name: string): Promise<void>;
  open(name: string): Promise<ArchivedArtifact>;
}

export async function readFacts(reader: Reader, artifact: ArtifactRow): Promise<ArchivedFacts> {
  const { id } = artifact;
  const { own, incoming } = await readAllReferences(reader, id);
  const links = reader.sql.selectFrom('artifact_link').selectAll();
  const grants = reader.sql.selectFrom('artifact_grant').select('group_id').where('artifact_id', '=', id);
  return {
    artifact,
    links: await reader.all(
      links.where((link) => link.or([link('source_id', '=', id), link('target_id', '=', id)])),
    ),
    groups: (await reader.all(grants)).map(({ group_id }) => group_id),
    references: [...own, ...incoming],
    files: await findFilesOf(reader, id),
  };
}

/** Changesets that are looked at together, and bytes of those that are read together. */
const pageSize = 200;
const mostBytes = 1024 * 1024;

const changesetBytes = sql<number>`octet_length(changes) + coalesce(octet_length(comment), 0)`;

/** The whole history of an artifact, of which little is held at a time. */
export async function* readArchivedChangesets(
  reader: Reader,
  artifactId: number,
): AsyncGenerator<ArchivedChangeset> {
  const own = reader.sql
    .selectFrom('changeset')
    .select(['id', changesetBytes.as('bytes')])
    .where('artifact_id', '=', artifactId)
    .orderBy('id')
    .limit(pageSize);
  for (let after = 0; ; ) {
    const found = await reader.all(own.where('id', '>', after));
    if (found.length === 0) return;
    for (const { items } of groupsByBytes(found, ({ bytes }) => bytes, mostBytes))
      yield* await readTogether(
        reader,
        items.map(({ id }) => id),
      );
    after = found.at(-1)?.id ?? after;
  }
}

async function readTogether(reader: Reader, ids: readonly number[]): Promise<ArchivedChangeset[]> {
  const rows = reader.sql.selectFrom('changeset').selectAll().where('id', 'in', ids).orderBy('id');
  const versions = reader.sql.selectFrom('comment_version').selectAll().orderBy('version');
  const old = Map.groupBy(
    await reader.all(versions.where('changeset_id', 'in', ids)),
    ({ changeset_id }) => changeset_id,
  );
  const whole = await reader.all(rows);
  return whole.map((row) => ({ row, versions: (old.get(row.id) ?? []).map(({ comment }) => comment) }));
}

/** What changes with everything that an archive tells of an artifact. */
export interface ArchivedState {
  readonly version: number;
  readonly relatedVersion: number;
  /** Editing a comment leaves the other two alone. */
  readonly commentVersions: number;
}

export async function readState(
  reader: Reader,
  { id, version, related_version: relatedVersion }: ArtifactRow,
): Promise<ArchivedState> {
  const own = reader.sql
    .selectFrom('comment_version')
    .innerJoin('changeset', 'changeset.id', 'comment_version.changeset_id')
    .select((row) => row.fn.countAll<number>().as('versions'))
    .where('changeset.artifact_id', '=', id);
  const counted = await reader.first(own);
  return { version, relatedVersion, commentVersions: counted?.versions ?? 0 };
}

export const isSameState = (left: ArchivedState, right: ArchivedState) =>
  left.version === right.version &&
  left.relatedVersion === right.relatedVersion &&
  left.commentVersions === right.commentVersions;
