import { attachRestored } from '../../files/index.ts';
import { mostIds, type Transaction } from '../../storage/index.ts';
import type { Field, Stored, Tracker } from '../../trackers/index.ts';
import { type ArtifactRow, type Document, parseDocument } from '../model.ts';
import { insertReferences, type StoredReference } from '../move/index.ts';
import { findArtifacts, lockVisibilityRows } from '../store.ts';
import { record, restoreRow, type UnrecordedRow, type WriteScope } from '../write/index.ts';
import type { ArchivedFacts } from './model.ts';

/** The rank that the artifact had, unless another has it now. */
async function freeRank(tx: Transaction, { rank }: ArtifactRow): Promise<number | null> {
  if (rank === null) return null;
  await tx.alone('ranks');
  const taken = tx.sql.selectFrom('artifact').select('id').where('rank', '=', rank);
  return (await tx.first(taken)) === undefined ? rank : null;
}

function valuesOf(document: Document, elements: readonly Field[]): ReadonlyMap<Field, Stored> {
  const values = new Map<Field, Stored>();
  for (const field of elements) {
    const value = document[field.id];
    if (value !== undefined) values.set(field, value);
  }
  return values;
}

async function putRowBack(tx: Transaction, artifact: ArtifactRow): Promise<UnrecordedRow> {
  const row = await restoreRow(tx, {
    ...artifact,
    rank: await freeRank(tx, artifact),
    // Answers that were remembered before it was deleted may show what has gone meanwhile.
    related_version: artifact.related_version + 1,
  });
  const counter = tx.sql.updateTable('tracker_counter').set((count) => ({
    artifacts: count('artifacts', '+', 1),
    restricted: count('restricted', '+', artifact.is_restricted),
  }));
  await tx.write(counter.where('tracker_id', '=', artifact.tracker_id));
  return row;
}

/** Whether a text of an artifact may still refer to another: texts can have changed since. */
async function stillNames(
  tx: Transaction,
  { origin, source_id, target_id }: StoredReference,
): Promise<boolean> {
  const [kind, place = ''] = origin.split(':');
  const named = `#${target_id}`;
  if (kind === 'comment') {
    const query = tx.sql.selectFrom('changeset').select('comment').where('id', '=', Number(place));
    return (await tx.first(query))?.comment?.includes(named) ?? false;
  }
  const [source] = await findArtifacts(tx, [source_id]);
  const value = source && parseDocument(source.document)[place];
  return value !== undefined && JSON.stringify(value).includes(named);
}

/** Those of the references whose other end is still there and means the same. */
async function livingReferences(
  tx: Transaction,
  id: number,
  references: readonly StoredReference[],
  alive: ReadonlySet<number>,
): Promise<StoredReference[]> {
  const living: StoredReference[] = [];
  for (const reference of references) {
    const isOwn = reference.source_kind === 'artifact' && reference.source_id === id;
    const [kind, other] = isOwn
      ? [reference.target_kind, reference.target_id]
      : [reference.source_kind, reference.source_id];
    if (kind === 'artifact' && !alive.has(other)) continue;
    if (isOwn || kind !== 'artifact' || (await stillNames(tx, reference))) living.push(reference);
  }
  return living;
}

/** The artifacts at the other ends that still exist; nobody else changes them before the transaction ends. */
async function lockOthers(
  tx: Transaction,
  { artifact, links, references }: ArchivedFacts,
): Promise<Set<number>> {
  const ends = [...links, ...references].flatMap(({ source_id, target_id }) => [source_id, target_id]);
  const others = [...new Set(ends)].filter((id) => id !== artifact.id).sort((a, b) => a - b);
  const alive = new Set<number>();
  for (let start = 0; start < others.length; start += mostIds)
    for (const { id } of await lockVisibilityRows(tx, others.slice(start, start + mostIds))) alive.add(id);
  return alive;
}

const linkColumns = ['source_id', 'target_id', 'type'] as const;

/** Makes an artifact from what its archive tells, with all that still has another end. Its history and its files are there already. */
export async function putBack(
  scope: WriteScope,
  facts: ArchivedFacts,
  { tracker, elements }: { readonly tracker: Tracker; readonly elements: readonly Field[] },
): Promise<void> {
  const { tx } = scope;
  const { artifact, links, groups, references, files } = facts;
  const { id } = artifact;
  const alive = await lockOthers(tx, facts);
  const has = (other: number) => other === id || alive.has(other);
  const livingLinks = links.filter(({ source_id, target_id }) => has(source_id) && has(target_id));
  const living = await livingReferences(tx, id, references, alive);
  const row = await putRowBack(tx, artifact);
  await attachRestored(tx, id, files);
  const own = livingLinks.filter(({ source_id }) => source_id === id);
  const incoming = livingLinks.filter(({ source_id }) => source_id !== id);
  await tx.insertMany(
    'artifact_link',
    linkColumns,
    incoming.map(({ source_id, target_id, type }) => [source_id, target_id, type]),
  );
  const document = parseDocument(artifact.document);
  await record(scope, row, {
    before: undefined,
    after: {
      ...{ tracker, document, isRestricted: artifact.is_restricted === 1 },
      links: own.map(({ target_id, type }) => [target_id, type] as const),
    },
    ...{ values: valuesOf(document, elements), groups, neighbours: [...alive] },
    fileFields: [...new Set(files.flatMap(({ field_id }) => field_id ?? []))],
    ...{ changeset: undefined, changesVisibility: true },
    // Its tracker knows them since it was there before.
    people: { submitters: [], editors: [] },
    writeReferences: () => insertReferences(tx, living),
  });
}
