import {
  type Artifact,
  type ArtifactRow,
  type BulkChange,
  changeArtifacts,
  listArtifacts,
  putArtifactWatching,
  type Tracker,
} from '@atelier/client/routes';
import type { FieldValue } from '../../fields/index.ts';
import { newUuid } from '../../kernel/uuid.ts';
import { client, type FieldEntry, knownThing, markOld, withoutPhrase } from '../../store/index.ts';
import { askGroupsAgain, type RowSource, rowFacet } from '../calls.ts';
import { patiently } from '../patience.ts';
import { type BulkWish, entriesForOne, entriesOf, entryBefore, fieldsOf, isOneByOne } from './wish.ts';

export type BulkResult = BulkChange['results'][number];

export const idOf = (uri: string): number => Number(uri.split('/')[1]);

/** What a row says about an artifact, where one is known. */
export const rowOf = (id: number): ArtifactRow | undefined => knownThing(`artifacts/${id}`, rowFacet)?.body;

interface Sent {
  readonly artifacts: readonly { readonly id: number; readonly etag?: string }[];
  readonly values: readonly FieldEntry[];
  readonly comment?: string | undefined;
  readonly isDryRun?: boolean | undefined;
}

async function send(tracker: Tracker, { artifacts, values, comment = '', isDryRun = false }: Sent) {
  const body = {
    artifacts: [...artifacts],
    values: [...values],
    ...(comment.trim() === '' ? {} : { comment: { body: comment, format: 'commonmark' } }),
    dry_run: isDryRun,
  };
  const idempotencyKey = newUuid();
  const { results } = await patiently(() =>
    client.call(changeArtifacts, { params: { id: tracker.id }, body, idempotencyKey }),
  );
  return results.map((result) => {
    const { error } = result;
    return error === null
      ? result
      : { ...result, error: { ...error, message: withoutPhrase(error.message) } };
  });
}

const named = (ids: readonly number[]) => ids.map((id) => ({ id }));

/** What would come of a wish. */
export async function tryChange(
  tracker: Tracker,
  ids: readonly number[],
  wish: BulkWish,
): Promise<readonly BulkResult[]> {
  const { comment } = wish;
  const sent = { artifacts: named(ids), values: entriesOf(wish), comment, isDryRun: true };
  const results = await send(tracker, sent);
  if (!isOneByOne(wish)) return results;
  // What each of them gets of its own is not there yet, and changes all that are not refused.
  return results.map((result) =>
    result.outcome === 'unchanged' ? { ...result, outcome: 'changed' as const } : result,
  );
}

/** Changes artifacts by one request, or, where each needs something of its own, one after the other. */
async function sendAll(
  tracker: Tracker,
  ids: readonly number[],
  wish: BulkWish,
  onProgress: (done: number) => void,
): Promise<readonly BulkResult[]> {
  const { comment } = wish;
  if (!isOneByOne(wish)) return send(tracker, { artifacts: named(ids), values: entriesOf(wish), comment });
  const results: BulkResult[] = [];
  for (const id of ids) {
    const values = await entriesForOne(wish);
    results.push(...(await send(tracker, { artifacts: [{ id }], values, comment })));
    onProgress(results.length);
  }
  return results;
}

const idsOfRequest = 100;

/** The artifacts as they are now, with all values. */
async function readArtifacts(ids: readonly number[]): Promise<ReadonlyMap<number, Artifact>> {
  const found = new Map<number, Artifact>();
  for (let from = 0; from < ids.length; from += idsOfRequest) {
    const some = ids.slice(from, from + idsOfRequest);
    const query = { query: JSON.stringify({ id: some }), limit: idsOfRequest };
    const { collection } = await client.call(listArtifacts, { query });
    for (const artifact of collection) found.set(artifact.id, artifact);
  }
  return found;
}

const valueIn = (artifact: Artifact | undefined, fieldId: number): FieldValue | undefined =>
  artifact?.values?.find(({ field_id: id }) => id === fieldId);

/** An artifact that was changed, the version that it has since, and what stood there. */
interface Undoable {
  readonly id: number;
  readonly etag: string;
  readonly entries: readonly FieldEntry[];
}

export interface MadeChange {
  readonly results: readonly BulkResult[];
  readonly undoable: readonly Undoable[];
}

function follow(source: RowSource, results: readonly BulkResult[]): void {
  for (const { uri, outcome } of results) if (outcome === 'changed') markOld(uri);
  askGroupsAgain(source);
}

/** Changes artifacts by one request, and keeps what stood there. */
export async function makeChange(
  tracker: Tracker,
  source: RowSource,
  ids: readonly number[],
  wish: BulkWish,
  onProgress: (done: number) => void,
): Promise<MadeChange> {
  const fields = fieldsOf(wish);
  const before = fields.length === 0 ? new Map<number, Artifact>() : await readArtifacts(ids);
  const results = await sendAll(tracker, ids, wish, onProgress);
  follow(source, results);
  const undoable = results.flatMap(({ id, outcome, etag }) => {
    if (outcome !== 'changed' || etag === null || fields.length === 0) return [];
    const entries = fields.map((field) =>
      entryBefore(field, valueIn(before.get(id), field.field_id), wish.parent !== undefined),
    );
    return [{ id, etag, entries }];
  });
  return { results, undoable };
}

/** Puts back what stood there, in those artifacts that nobody changed since. Those that had the same go in one request. */
export async function undoChange(
  tracker: Tracker,
  source: RowSource,
  { undoable }: MadeChange,
): Promise<readonly BulkResult[]> {
  const alike = Map.groupBy(undoable, ({ entries }) => JSON.stringify(entries));
  const results: BulkResult[] = [];
  for (const group of alike.values())
    results.push(
      ...(await send(tracker, {
        artifacts: group.map(({ id, etag }) => ({ id, etag })),
        values: group[0]?.entries ?? [],
      })),
    );
  follow(source, results);
  return results;
}

const watchedAtOnce = 6;

/** Watches artifacts, or does so no more. */
export async function watchAll(ids: readonly number[], isWatching: boolean): Promise<void> {
  for (let from = 0; from < ids.length; from += watchedAtOnce)
    await Promise.all(
      ids
        .slice(from, from + watchedAtOnce)
        .map((id) => client.call(putArtifactWatching, { params: { id }, body: { is_watching: isWatching } })),
    );
}
