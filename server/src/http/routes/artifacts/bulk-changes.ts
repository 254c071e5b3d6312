import * as contract from '@atelier/contract';
import {
  type ChangeResult,
  makeAll,
  type PlannedChange,
  type RequestKey,
  tryAll,
} from '../../../artifacts/index.ts';
import { second } from '../../../kernel/clock.ts';
import { invalid, Refusal } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { keyOfPart, preconditionOf, requestKeyOf } from '../../pipeline/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { commentOf } from './artifacts.ts';
import { batchDeps, stoppedAfter } from './batch.ts';
import { isForAll, searchIn } from './rows.ts';

type BulkRequest = contract.BodyOf<typeof contract.changeArtifacts>;

/** Artifacts that one request changes at the most. */
const mostArtifacts = 1000;

const tooMany = () => invalid(`At most ${mostArtifacts} artifacts can be changed at once.`);

/** Artifacts that the search of a wish finds; none where it has no search. */
async function found(services: Services, viewer: Viewer, trackerId: number, bulk: BulkRequest) {
  const search = searchIn(bulk);
  if (!hasSearch(bulk)) return [];
  if (isForAll(search))
    throw invalid('Invalid value specified for `query`. A search without criteria would change everything.');
  // A criterion that is passed over would change artifacts that nobody meant.
  const { ids, size } = await services.searches.findRows(viewer, {
    trackerId,
    search: { ...search, isWhole: true },
    sort: [],
    limit: mostArtifacts,
    offset: 0,
    patience: services.config.searchSeconds * second,
  });
  if (size > mostArtifacts) throw tooMany();
  return ids;
}

const hasSearch = ({
  query,
  expert_query = '',
  report_id,
  overlaps,
  linked_to,
  parent,
}: BulkRequest): boolean =>
  expert_query !== '' || [query, report_id, overlaps, linked_to, parent].some((input) => input !== undefined);

/** The version that each artifact must have, by id; undefined where any will do. */
async function namedIn(
  services: Services,
  viewer: Viewer,
  trackerId: number,
  bulk: BulkRequest,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { artifacts = [] } = bulk;
  // Of several versions that one must have, none may be forgotten.
  const listed = new Map(artifacts.map(({ id, etag }) => [id, etag]));
  if (listed.size < artifacts.length) throw invalid('`artifacts` names an artifact more than once.');
  const named = new Map<number, string | undefined>();
  for (const id of await found(services, viewer, trackerId, bulk)) named.set(id, undefined);
  for (const [id, etag] of listed) named.set(id, etag);
  if (named.size > mostArtifacts) throw tooMany();
  return named;
}

/** What all changes of a request have in common. */
interface Together {
  readonly trackerId: number;
  readonly isXml: boolean;
  readonly requestKey: RequestKey | undefined;
}

function planned(
  { trackerId, isXml, requestKey }: Together,
  bulk: BulkRequest,
  id: number,
  etag: string | undefined,
): PlannedChange {
  const precondition = preconditionOf(etag === undefined ? {} : { 'if-match': etag });
  const { values: entries = [] } = bulk;
  return {
    kind: 'update',
    update: {
      id,
      trackerId,
      entries,
      comment: commentOf(bulk.comment),
      precondition,
      isXml,
      requestKey: keyOfPart(requestKey, id),
    },
  };
}

/** What would come of changes. */
async function expected(
  services: Services,
  viewer: Viewer,
  ids: readonly number[],
  changes: readonly PlannedChange[],
): Promise<ChangeResult[]> {
  const tools = batchDeps(services);
  const verdicts = await tryAll(tools, viewer, changes);
  return verdicts.map(({ isChange, faults: [first, ...others] }, at) => {
    const words = [first, ...others].map((fault) => fault?.detail ?? '').join('\n');
    const refusal = first && tools.explain(new Refusal(first.kind, words, first.extras));
    const outcome = refusal === undefined ? (isChange ? 'changed' : 'unchanged') : 'refused';
    return { artifactId: ids[at] ?? 0, outcome, changesetId: null, version: null, refusal: refusal ?? null };
  });
}

function presentResult(result: ChangeResult): contract.BulkChange['results'][number] {
  const { artifactId, outcome, changesetId, version, refusal } = result;
  const id = artifactId ?? 0;
  return {
    id,
    uri: `artifacts/${id}`,
    outcome: outcome === 'created' ? 'changed' : outcome,
    etag: version === null ? null : `"${version}"`,
    changeset_id: changesetId,
    error: refusal,
  };
}

function requireSomething(bulk: BulkRequest): void {
  const { artifacts, values = [], comment } = bulk;
  if (artifacts === undefined && !hasSearch(bulk))
    throw invalid(
      'Nothing says which artifacts to change: `artifacts`, `query` or `expert_query` is needed.',
    );
  if (values.length === 0 && (comment?.body ?? '').trim() === '')
    throw invalid('Nothing says what to change: `values` or a `comment` is needed.');
}

export function bulkChangeBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.changeArtifacts, async ({ viewer, params, body, isXml, headers }) => {
      requireSomething(body);
      const requestKey = requestKeyOf(headers, 'POST changes', params.id, body);
      await trackers.require(database, viewer, params.id, await database.revisions());
      const named = await namedIn(services, viewer, params.id, body);
      const isDryRun = body.dry_run ?? false;
      const ids =
        isDryRun || requestKey === undefined
          ? [...named.keys()]
          : await services.operations.settleParts(viewer, { ids: [...named.keys()], requestKey });
      const changes = ids.map((id) =>
        planned({ trackerId: params.id, isXml, requestKey }, body, id, named.get(id)),
      );
      const results = isDryRun
        ? await expected(services, viewer, ids, changes)
        : await makeAll(batchDeps(services), viewer, changes);
      const told = results.map(presentResult);
      if (told.length < changes.length) throw stoppedAfter(told, changes.length);
      return { body: { dry_run: isDryRun, results: told } };
    }),
  ];
}
