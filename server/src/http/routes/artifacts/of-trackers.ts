import * as contract from '@atelier/contract';
import {
  type Artifact,
  gather,
  pageOfAll,
  type RelatedData,
  type RowFact,
  type RowFacts,
  readRowFacts,
  versionTag,
} from '../../../artifacts/index.ts';
import { formatInstant, type Instant, second } from '../../../kernel/clock.ts';
import { forbidden, invalid } from '../../../kernel/errors.ts';
import { isObject } from '../../../kernel/values.ts';
import {
  isOpenArtifact,
  jsonArray,
  minimalTrackerText,
  projectReferenceText,
  statusOf,
  titleOf,
  ValueWriter,
} from '../../../present/index.ts';
import { type IdPage, parseCriteria, requireShallow, type Selection } from '../../../search/index.ts';
import { type Answering, ArtifactParts, type Writing } from '../../in-parts.ts';
import { bind, JsonParts, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { asArtifacts } from './artifacts.ts';

/** A JSON array of the artifacts of a page. */
export const listOf = (
  services: Services,
  answering: Answering,
  { ids }: Pick<IdPage, 'ids'>,
  writing: Writing,
): JsonParts => new JsonParts(new ArtifactParts(services, answering, ids, writing, jsonArray));

/** Artifacts in a short form, for which only title and status are looked at. */
const asShort = (write: (artifact: Artifact, writer: ValueWriter) => string): Writing => ({
  gather: (readContext) => gather(readContext, []),
  text: (artifact, nothing, presentation) =>
    write(artifact, new ValueWriter(artifact, nothing, presentation)),
});

/** How short forms of artifacts begin. */
export const common = ({ row: { id }, view: { tracker } }: Artifact) =>
  `"id":${id},"uri":"artifacts/${id}","html_url":"/plugins/tracker/?aid=${id}"` +
  `,"xref":"${tracker.itemName} #${id}","tracker":${minimalTrackerText(tracker)}`;

const parentText = (artifact: Artifact, writer: ValueWriter) =>
  `{${common(artifact)},"title":${JSON.stringify(titleOf(artifact, writer) ?? '')}` +
  `,"full_status":${JSON.stringify(statusOf(artifact, writer))}}`;

/** What is due at the end of a day is overdue when that day is over. */
const isOverdue = (due: Instant | null | undefined, isStillOpen: boolean) =>
  due != null && isStillOpen && formatInstant(due).slice(0, 10) < formatInstant(Date.now()).slice(0, 10);

function ownText(artifact: Artifact, writer: ValueWriter, due: Instant | null | undefined): string {
  const { row, view } = artifact;
  return (
    `{${common(artifact)},"title":${JSON.stringify(titleOf(artifact, writer))}` +
    `,"project":${projectReferenceText(view.tracker.project)},"full_status":${JSON.stringify(statusOf(artifact, writer))}` +
    `,"last_modified_date":"${formatInstant(row.modified_on)}"` +
    `,"due_date":${due == null ? 'null' : `"${formatInstant(due)}"`}` +
    `,"is_overdue":${isOverdue(due, isOpenArtifact(artifact))},"etag":"\\"${versionTag(row)}\\""}`
  );
}

const timeframe: ReadonlySet<RowFact> = new Set<RowFact>(['timeframe']);

/** One's own artifacts, with when they are due. */
const asOwn: Writing<RelatedData & { readonly facts: RowFacts }> = {
  async gather(readContext, artifacts) {
    const related = await gather(readContext, artifacts, { needs: new Set(['totals', 'typed values']) });
    return { ...related, facts: await readRowFacts(readContext, artifacts, related, timeframe) };
  },
  text: (artifact, related, presentation) =>
    ownText(
      artifact,
      new ValueWriter(artifact, related, presentation),
      related.facts.timeframes.get(artifact.row.id)?.end,
    ),
};

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

interface ListQuery {
  readonly query?: string;
  readonly expert_query?: string;
}

/** Criteria of the query string win over a query, and that over criteria in the body; undefined: everything is asked for. */
function selectionOf(
  { query = '', expert_query: text = '' }: ListQuery,
  body: unknown,
): Selection | undefined {
  const hasCriteria = query !== '' && query !== '0';
  if (!hasCriteria && text !== '') return { query: text };
  const criteria = hasCriteria ? parseCriteria(query) : body;
  requireShallow(criteria);
  return isEmpty(criteria) ? undefined : { criteria };
}

/** In which senses an artifact can be one’s own. */
const ownSenses = ['submitted_by', 'assigned_to', 'watched', 'mentioned'] as const;

/** Which artifacts `/users/self/artifacts` is asked for. */
function ownInput(query: string) {
  let input: unknown;
  try {
    input = JSON.parse(query);
  } catch {
    throw invalid('Invalid value specified for `query`. It must be a JSON object.');
  }
  const members: Readonly<Record<string, unknown>> = isObject(input) ? { ...input } : {};
  const request = ownSenses.map((name) => (members[name] === undefined ? false : members[name]));
  if (request.some((value) => typeof value !== 'boolean'))
    throw invalid('Invalid value specified for `query`. Its members must be true or false.');
  if (!request.includes(true))
    throw invalid(
      'Invalid value specified for `query`. "submitted_by", "assigned_to", "watched" or "mentioned" must be true.',
    );
  const has = (name: (typeof ownSenses)[number]) => members[name] === true;
  return {
    submittedBy: has('submitted_by'),
    assignedTo: has('assigned_to'),
    watched: has('watched'),
    mentioned: has('mentioned'),
  };
}

export function trackerArtifactBindings(services: Services): RouteBinding[] {
  const { database, searches, trackers } = services;
  return [
    bind(contract.listTrackerArtifacts, async ({ viewer, params, query, body: input, room }) => {
      const { limit, offset } = query;
      const selection = selectionOf(query, input);
      const isReversed = query.order === 'desc';
      const page = { limit, offset, isDescending: selection === undefined && isReversed };
      const pageOfTracker = async () =>
        pageOfAll(
          database,
          await trackers.require(database, viewer, params.id, await database.revisions()),
          page,
        );
      // A search looks itself who may see the tracker.
      const all = selection === undefined ? await pageOfTracker() : undefined;
      const found =
        all ??
        (await searches.findArtifactPage(viewer, {
          ...page,
          trackerId: params.id,
          selection: selection ?? { criteria: null },
          patience: services.config.searchSeconds * second,
        }));
      const forms = { collection: query.values === 'all', byField: false };
      const body = listOf(services, { viewer, room }, found, asArtifacts(forms));
      return { body, page: { limit, offset, size: found.size } };
    }),
    bind(contract.listParentArtifacts, async ({ viewer, params, query: { limit, offset }, room }) => {
      const found = await searches.findParentArtifacts(viewer, { trackerId: params.id, limit, offset });
      const body = listOf(services, { viewer, room }, found, asShort(parentText));
      return { body, page: { limit, offset, size: found.size } };
    }),
    bind(contract.listUsedLinkTypes, async ({ viewer, params, query: { limit, offset } }) => {
      const { items, size } = await searches.findUsedLinkTypes(viewer, {
        trackerId: params.id,
        limit,
        offset,
      });
      const body = items.map(({ shortname, forwardLabel }) => ({ shortname, forward_label: forwardLabel }));
      return { body, page: { limit, offset, size } };
    }),
    bind(
      contract.listOwnArtifacts,
      async ({ viewer, params, query: { query = '', order = 'id', limit, offset }, room }) => {
        if (params.id !== 'self')
          throw forbidden('You can list your own artifacts only: use /users/self/artifacts.');
        const found = await searches.findOwnArtifacts(viewer, { ...ownInput(query), order, limit, offset });
        const parts = new ArtifactParts(services, { viewer, room }, found.ids, asOwn, jsonArray);
        const body = new JsonParts(parts);
        return { body, page: { limit, offset, size: found.size } };
      },
    ),
  ];
}
