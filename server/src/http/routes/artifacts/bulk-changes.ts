import * as contract from '@atelier/contract';
import { type ChangeResult, makeAll, type PlannedChange, tryAll } from '../../../artifacts/index.ts';
import { second } from '../../../kernel/clock.ts';
import { invalid, Refusal } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { preconditionOf } from '../../pipeline/preconditions.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { commentOf } from './artifacts.ts';
import { batchDeps, stoppedAfter } from './batch.ts';
import { selectionOf } from './of-trackers.ts';

type Wish = contract.BodyOf<typeof contract.changeArtifacts>;

/** Artifacts that one request changes at the most. */
const mostArtifacts = 1000;

const tooMany = () => invalid(`At most ${mostArtifacts} artifacts can be changed at once.`);

/** Artifacts that the search of a wish finds; none where it has no search. */
async function found(services: Services, viewer: Viewer, trackerId: number, wish: Wish) {
  const { query: criteria, expert_query = '' } = wish;
  if (criteria === undefined && expert_query === '') return [];
  if (criteria !== undefined && expert_query !== '')
    throw invalid('Only one of `query` and `expert_query` can be given.');
  const asked = typeof criteria === 'string' ? { query: criteria } : {};
  const body = typeof criteria === 'string' ? undefined : criteria;
  const selection = selectionOf({ ...asked, expert_query }, body);
  if (selection === undefined)
    throw invalid('Invalid value specified for `query`. A search without criteria would change everything.');
  const patience = services.config.searchSeconds * second;
  // A criterion that is passed over would change artifacts that nobody meant.
  const page = {
    trackerId,
    selection: { ...selection, isWhole: true },
    limit: mostArtifacts,
    offset: 0,
    isDescending: false,
    patience,
  };
  const { ids, size } = await services.searches.findArtifactPage(viewer, page);
  if (size > mostArtifacts) throw tooMany();
  return ids;
}

/** The version that each artifact must have, by id; undefined where any will do. */
async function namedIn(
  services: Services,
  viewer: Viewer,
  trackerId: number,
  wish: Wish,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { artifacts = [] } = wish;
  // Of several versions that one must have, none may be forgotten.
  const listed = new Map(artifacts.map(({ id, etag }) => [id, etag]));
  if (listed.size < artifacts.length) throw invalid('`artifacts` names an artifact more than once.');
  const named = new Map<number, string | undefined>();
  for (const id of await found(services, viewer, trackerId, wish)) named.set(id, undefined);
  for (const [id, etag] of listed) named.set(id, etag);
  if (named.size > mostArtifacts) throw tooMany();
  return named;
}

function planned(
  { trackerId, isXml }: { readonly trackerId: number; readonly isXml: boolean },
  wish: Wish,
  id: number,
  etag: string | undefined,
): PlannedChange {
  const precondition = preconditionOf(etag === undefined ? {} : { 'if-match': etag });
  const { values: entries = [] } = wish;
  return {
    kind: 'update',
    update: { id, trackerId, entries, comment: commentOf(wish.comment), precondition, isXml },
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

function requireSomething({ artifacts, query, expert_query, values = [], comment }: Wish): void {
  if (artifacts === undefined && query === undefined && (expert_query ?? '') === '')
    throw invalid(
      'Nothing says which artifacts to change: `artifacts`, `query` or `expert_query` is needed.',
    );
  if (values.length === 0 && (comment?.body ?? '').trim() === '')
    throw invalid('Nothing says what to change: `values` or a `comment` is needed.');
}

export function bulkChangeBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.changeArtifacts, async ({ viewer, params, body, isXml }) => {
      requireSomething(body);
      await trackers.require(database, viewer, params.id, await database.revisions());
      const named = await namedIn(services, viewer, params.id, body);
      const changes = [...named].map(([id, etag]) =>
        planned({ trackerId: params.id, isXml }, body, id, etag),
      );
      const isDryRun = body.dry_run ?? false;
      const results = isDryRun
        ? await expected(services, viewer, [...named.keys()], changes)
        : await makeAll(batchDeps(services), viewer, changes);
      const told = results.map(presentResult);
      if (told.length < changes.length) throw stoppedAfter(told, changes.length);
      return { body: { dry_run: isDryRun, results: told } };
    }),
  ];
}
