import { type Soon, whenThere } from '../kernel/soon.ts';
import {
  type Database,
  type ExpressionBuilder,
  lockingStatement,
  mostIds,
  type Reader,
  ReadsById,
  type Revisions,
  type SqlBool,
  type SqlBuilder,
  sql,
  statement,
  statementOverIds,
  type Tables,
  type Transaction,
} from '../storage/index.ts';
import type { StoredLink } from '../trackers/index.ts';
import type { ArtifactRow } from './model.ts';

const artifactById = statement((sql, p: { id: number }) =>
  sql.selectFrom('artifact').selectAll().where('id', '=', p.id),
);

/** A row of which the values are left out where they are much: they are read only when there is room for them. */
export interface LightRow extends ArtifactRow {
  /** How long the values are in truth. */
  readonly bytes: number;
}

/** Bytes of values that are much for one artifact that is read alone, and for one of many. */
export const much = { alone: 64 * 1024, amongMany: 4 * 1024 };

export const isHeavy = ({ bytes, document }: LightRow): boolean => bytes > 0 && document === '';

/** The columns of an artifact but for its values and its place in the order of all. */
const plainColumns = [
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
] as const;

/** All columns that a new artifact fills: it gets its place in the order of all when somebody moves it. */
export const artifactColumns = [...plainColumns, 'document'] as const;

const lightColumns = (most: number) =>
  [
    ...plainColumns,
    'rank',
    // Both engines know the length without reading the text.
    sql<number>`octet_length(document)`.as('bytes'),
    sql<string>`case when octet_length(document) <= ${sql.lit(most)} then document else '' end`.as(
      'document',
    ),
  ] as const;

const lightArtifactById = statement((builder, p: { id: number }) =>
  builder.selectFrom('artifact').select(lightColumns(much.alone)).where('id', '=', p.id),
);

const lightArtifactAndRevisions = statement((builder, p: { id: number }) =>
  builder
    .selectFrom('artifact')
    .select(lightColumns(much.alone))
    .select(bothRevisions)
    .where('id', '=', p.id),
);

const bothRevisions = (row: ExpressionBuilder<Tables, 'artifact'>) => [
  row.selectFrom('revision').select('value').where('name', '=', 'identity').as('identity'),
  row.selectFrom('revision').select('value').where('name', '=', 'structure').as('structure'),
];

const lockedArtifactAndRevisions = lockingStatement((sql, p: { id: number }) =>
  sql.selectFrom('artifact').selectAll().select(bothRevisions).where('id', '=', p.id),
);

export async function findArtifact(reader: Reader, id: number): Promise<ArtifactRow | undefined> {
  return reader.first(artifactById, { id });
}

/** As `findArtifact`, without the values where they are much. */
export function findLightArtifact(reader: Reader, id: number): Soon<LightRow | undefined> {
  return whenThere(reader.soon(lightArtifactById, { id }), (rows) => rows[0]);
}

/** As `findLightArtifact`, with the revisions that tell whether what is remembered beside it still holds. */
export async function findLightArtifactAndRevisions(
  reader: Reader,
  id: number,
): Promise<{ row: LightRow; revisions: Revisions } | undefined> {
  const row = await reader.first(lightArtifactAndRevisions, { id });
  return row && { row, revisions: revisionsIn(row) };
}

const isOneOf = (ids: readonly number[]) => sql<SqlBool>`artifact.id = any(${ids}::bigint[])`;

/** Links in both directions, each with who may see its other end: a list for each, in one column. */
const linksColumn = sql<LinkTuple[] | null>`(
  select json_agg(json_build_array(other.id, other.tracker_id, other.submitted_by, other.is_restricted, link.type, link.is_forward))
  from (
    select target_id as other_id, type, 1 as is_forward from artifact_link where source_id = artifact.id
    union all
    select source_id, type, 0 from artifact_link where target_id = artifact.id
  ) as link
  join artifact as other on other.id = link.other_id
)`.as('links');

type LinkTuple = readonly [
  id: number,
  tracker_id: number,
  submitted_by: number,
  is_restricted: 0 | 1,
  type: string,
  is_forward: 0 | 1,
];

const linkIn =
  (of_id: number) =>
  ([id, tracker_id, submitted_by, is_restricted, type, is_forward]: LinkTuple): LinkRow => ({
    ...{ of_id, id, tracker_id, submitted_by, is_restricted, type, is_forward },
  });

const wholeArtifacts = new ReadsById((builder, p) =>
  builder
    .selectFrom('artifact')
    .select(lightColumns(much.alone))
    .select(bothRevisions)
    .select(linksColumn)
    .where(isOneOf(p.ids)),
);

/** All that is read of one artifact over a network: its row, its links, and what tells whether what is remembered holds. */
export async function findRemoteArtifact(
  database: Database,
  id: number,
): Promise<{ row: LightRow; revisions: Revisions; links: readonly LinkRow[] } | undefined> {
  const row = await wholeArtifacts.find(database, id);
  if (row === undefined) return undefined;
  const links = row.links?.map(linkIn(row.id)).sort(byId) ?? [];
  return { row, revisions: revisionsIn(row), links };
}

const revisionsIn = ({ identity, structure }: { [Name in keyof Revisions]: number | null }): Revisions => ({
  identity: identity ?? 0,
  structure: structure ?? 0,
});

/** An artifact with the revisions it is read at; nobody else changes it before the transaction ends. */
export async function lockArtifactAndRevisions(
  tx: Transaction,
  id: number,
): Promise<{ row: ArtifactRow; revisions: Revisions } | undefined> {
  const row = await tx.first(lockedArtifactAndRevisions, { id });
  return row && { row: artifactIn(row), revisions: revisionsIn(row) };
}

/** The columns of an artifact alone, for where they travel to another thread. */
const artifactIn = ({
  identity: _,
  structure: __,
  ...row
}: ArtifactRow & Record<'identity' | 'structure', unknown>) => row;

const artifactsByIds = statementOverIds((builder, ids) =>
  builder.selectFrom('artifact').selectAll().where('id', 'in', ids),
);

/** Reads in parts, so that no statement names more ids than a database takes. */
export async function inParts<Row>(
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> {
  const parts: Row[][] = [];
  for (let start = 0; start < ids.length; start += mostIds)
    parts.push(await read(ids.slice(start, start + mostIds)));
  return parts.flat();
}

/** Artifacts by their ids, in no order; those that do not exist are left out. */
export async function findArtifacts(reader: Reader, ids: readonly number[]): Promise<ArtifactRow[]> {
  return inParts(ids, (some) => reader.all(...artifactsByIds(some)));
}

const bytesByIds = statementOverIds((builder, ids) =>
  builder
    .selectFrom('artifact')
    .select(['id', sql<number>`octet_length(document)`.as('bytes')])
    .where('id', 'in', ids),
);

/** How much artifacts hold, by their ids, told without reading it. */
export async function artifactBytes(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await inParts(ids, (some) => reader.all(...bytesByIds(some)));
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

const lightArtifactsByIds = statementOverIds((builder, ids) =>
  builder.selectFrom('artifact').select(lightColumns(much.amongMany)).where('id', 'in', ids),
);

/** As `findArtifacts`, without the values of those that have much. */
export async function findLightArtifacts(reader: Reader, ids: readonly number[]): Promise<LightRow[]> {
  return inParts(ids, (some) => reader.all(...lightArtifactsByIds(some)));
}

const remoteArtifacts = statement((builder, p: { ids: readonly number[] }) =>
  builder
    .selectFrom('artifact')
    .select(lightColumns(much.amongMany))
    .select(bothRevisions)
    .where(isOneOf(p.ids)),
);

const remoteArtifactsWithLinks = statement((builder, p: { ids: readonly number[] }) =>
  builder
    .selectFrom('artifact')
    .select(lightColumns(much.amongMany))
    .select(bothRevisions)
    .select(linksColumn)
    .where(isOneOf(p.ids)),
);

/** Artifacts that were read by one statement; the revisions are undefined when there are none. */
export interface RemoteArtifacts {
  readonly rows: readonly LightRow[];
  readonly revisions: Revisions | undefined;
  readonly links?: readonly LinkRow[];
}

/** As `findLightArtifacts`, over a network: with what tells whether what is remembered holds. */
export async function findRemoteArtifacts(
  reader: Reader,
  ids: readonly number[],
  withLinks: boolean,
): Promise<RemoteArtifacts> {
  if (!withLinks) {
    const rows = await reader.all(remoteArtifacts, { ids });
    return { rows, revisions: rows[0] && revisionsIn(rows[0]) };
  }
  const rows = await reader.all(remoteArtifactsWithLinks, { ids });
  const links = rows.flatMap((row) => row.links?.map(linkIn(row.id)) ?? []).sort(byId);
  return { rows, revisions: rows[0] && revisionsIn(rows[0]), links };
}

/** The whole row, where the values were left out of it; undefined when it is gone meanwhile. */
const wholeOf = async (reader: Reader, row: LightRow): Promise<ArtifactRow | undefined> =>
  isHeavy(row) ? findArtifact(reader, row.id) : row;

/** As `findArtifacts`, one after the other: those with much text are never held together. */
export async function* eachArtifact(reader: Reader, ids: readonly number[]): AsyncGenerator<ArtifactRow> {
  for (const light of await findLightArtifacts(reader, ids)) {
    const row = await wholeOf(reader, light);
    if (row !== undefined) yield row;
  }
}

/** The facts by which it is decided who sees an artifact. */
export interface VisibilityRow {
  readonly id: number;
  readonly tracker_id: number;
  readonly submitted_by: number;
  readonly is_restricted: 0 | 1;
}

export interface LinkRow extends VisibilityRow {
  /** The artifact whose link this is. */
  readonly of_id: number;
  readonly type: string;
  readonly is_forward: 0 | 1;
}

type LinkEnd = 'source_id' | 'target_id';

/** Links seen from one end, each with the artifact at the other. */
function linksFrom(builder: SqlBuilder, end: LinkEnd, other: LinkEnd) {
  return builder
    .selectFrom('artifact_link')
    .innerJoin('artifact', 'artifact.id', `artifact_link.${other}`)
    .select(['artifact.id', 'tracker_id', 'submitted_by', 'is_restricted'])
    .select([`artifact_link.${end} as of_id`, 'artifact_link.type'])
    .select(sql<0 | 1>`${sql.lit(end === 'source_id' ? 1 : 0)}`.as('is_forward'));
}

const linksOfOne = statement((builder, p: { id: number }) =>
  linksFrom(builder, 'source_id', 'target_id')
    .where('artifact_link.source_id', '=', p.id)
    .unionAll(linksFrom(builder, 'target_id', 'source_id').where('artifact_link.target_id', '=', p.id)),
);

const linksByIds = statementOverIds((builder, ids) =>
  linksFrom(builder, 'source_id', 'target_id')
    .where('artifact_link.source_id', 'in', ids)
    .unionAll(linksFrom(builder, 'target_id', 'source_id').where('artifact_link.target_id', 'in', ids)),
);

const byId = (left: LinkRow, right: LinkRow) => left.id - right.id;

/** Links of these artifacts in both directions, by the id of the other end. */
export function findLinks(reader: Reader, ids: readonly number[]): Soon<LinkRow[]> {
  const [only] = ids;
  if (only === undefined) return [];
  const rows: Soon<LinkRow[]> =
    ids.length === 1
      ? reader.soon(linksOfOne, { id: only })
      : inParts(ids, (some) => reader.all(...linksByIds(some)));
  return whenThere(rows, (found) => found.sort(byId));
}

/** What an artifact links to. */
export async function findForwardLinks(reader: Reader, id: number): Promise<StoredLink[]> {
  const links = await findLinks(reader, [id]);
  return links.filter(({ is_forward }) => is_forward === 1).map(({ id: other, type }) => [other, type]);
}

const sightsByIds = statementOverIds((builder, ids) =>
  builder
    .selectFrom('artifact')
    .select(['id', 'tracker_id', 'submitted_by', 'is_restricted'])
    .where('id', 'in', ids),
);

export async function findVisibilityRows(reader: Reader, ids: readonly number[]): Promise<VisibilityRow[]> {
  return inParts(ids, (some) => reader.all(...sightsByIds(some)));
}

const raiseVersions = statementOverIds((builder, ids) =>
  builder
    .updateTable('artifact')
    .set((row) => ({ related_version: row('related_version', '+', 1) }))
    .where('id', 'in', ids),
);

/** Tells that something around these artifacts changed that their answers show. */
export async function raiseRelatedVersions(tx: Transaction, ids: readonly number[]): Promise<void> {
  const touched = [...new Set(ids)];
  // All who touch the same artifacts do so in one order, so that they do not wait for each other in a circle.
  if (touched.length > 1 && tx.locksRows) {
    const rows = tx.sql.selectFrom('artifact').select('id').where('id', 'in', touched).orderBy('id');
    await tx.write(rows.forNoKeyUpdate());
  }
  for (let start = 0; start < touched.length; start += mostIds)
    await tx.write(...raiseVersions(touched.slice(start, start + mostIds)));
}

const lockedArtifact = lockingStatement((builder, p: { id: number }) =>
  builder.selectFrom('artifact').selectAll().where('id', '=', p.id),
);

/** Reads artifacts and keeps other transactions from changing them until this one ends. In the order of their ids. */
export async function lockArtifacts(tx: Transaction, ids: readonly number[]): Promise<ArtifactRow[]> {
  const [only] = ids;
  if (only === undefined) return [];
  if (ids.length === 1) return tx.all(lockedArtifact, { id: only });
  return tx.lock(tx.sql.selectFrom('artifact').selectAll().where('id', 'in', ids).orderBy('id'));
}

/** As `lockArtifacts`, for those who look at nothing but who may see them. */
export async function lockVisibilityRows(tx: Transaction, ids: readonly number[]): Promise<VisibilityRow[]> {
  if (ids.length === 0) return [];
  const rows = tx.sql.selectFrom('artifact').select(['id', 'tracker_id', 'submitted_by', 'is_restricted']);
  return tx.lock(rows.where('id', 'in', ids).orderBy('id'));
}

/** As `lockArtifacts`, one after the other: those with much text are never held together. */
export async function* lockEach(tx: Transaction, ids: readonly number[]): AsyncGenerator<ArtifactRow> {
  if (ids.length <= 1) return yield* await lockArtifacts(tx, ids);
  const rows = tx.sql.selectFrom('artifact').select(lightColumns(much.amongMany)).where('id', 'in', ids);
  for (const light of await tx.lock(rows.orderBy('id'))) {
    const row = await wholeOf(tx, light);
    if (row !== undefined) yield row;
  }
}

const stateOfOne = statement((builder, p: { id: number }) =>
  builder
    .selectFrom('artifact')
    .select(['version', 'related_version'])
    .select((row) => [
      row.selectFrom('revision').select('value').where('name', '=', 'identity').as('identity'),
      row.selectFrom('revision').select('value').where('name', '=', 'structure').as('structure'),
    ])
    .where('id', '=', p.id),
);

/** The numbers that change whenever an answer about the artifact may. */
export interface ArtifactVersions extends Revisions {
  readonly version: number;
  readonly related_version: number;
}

type StateRow = { [Name in keyof ArtifactVersions]: number | null };

const asState = ({ version, related_version, identity, structure }: StateRow): ArtifactVersions => ({
  version: version ?? 0,
  related_version: related_version ?? 0,
  identity: identity ?? 0,
  structure: structure ?? 0,
});

export function findState(reader: Reader, id: number): Soon<ArtifactVersions | undefined> {
  return whenThere(reader.soon(stateOfOne, { id }), ({ 0: row }) => row && asState(row));
}

const states = new ReadsById((builder, p) =>
  builder
    .selectFrom('artifact')
    .select(['id', 'version', 'related_version'])
    .select(bothRevisions)
    .where(isOneOf(p.ids)),
);

/** As `findState`, over a network. */
export async function findRemoteState(database: Database, id: number): Promise<ArtifactVersions | undefined> {
  const row = await states.find(database, id);
  return row && asState(row);
}

const statesByIds = statementOverIds((builder, ids) =>
  builder
    .selectFrom('artifact')
    .select(['id', 'version', 'related_version'])
    .select(bothRevisions)
    .where('id', 'in', ids),
);

/** As `findState` of several, with the revisions that they were read with; those are undefined when there are none. */
export async function findStates(
  reader: Reader,
  ids: readonly number[],
): Promise<{
  readonly states: readonly {
    readonly id: number;
    readonly version: number;
    readonly related_version: number;
  }[];
  readonly revisions: Revisions | undefined;
}> {
  const states = await reader.all(...statesByIds(ids));
  return { states, revisions: states[0] && revisionsIn(states[0]) };
}
