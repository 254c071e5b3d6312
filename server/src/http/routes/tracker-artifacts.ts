import { setImmediate as nextTurn } from 'node:timers/promises';
import * as contract from '@atelier/contract';
import type { Artifact, Sight } from '../../artifacts/index.ts';
import { gather, pageOfAll, readArtifacts, sightOf } from '../../artifacts/index.ts';
import { second } from '../../kernel/clock.ts';
import { forbidden, invalid } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type IdPage, parseCriteria, requireShallow, type Selection } from '../../search/index.ts';
import {
  artifactText,
  type Manner,
  statusOf,
  titleOf,
  type ValueForms,
  ValueWriter,
} from '../present/artifacts.ts';
import { minimalTrackerText } from '../present/tracker-texts.ts';
import { bind, Json, JsonParts, type RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { mannerOf, written } from './artifacts.ts';

/** Artifacts that are read and written in one turn of the event loop. */
const chunk = 50;

/** Makes the texts of artifacts that were found; what they need is fetched for all of them at once. */
type WriteSome = (sight: Sight, manner: Manner, artifacts: readonly Artifact[]) => Promise<() => string[]>;

/** A JSON array of artifacts in parts, so that other requests are not kept waiting while a long one is made. */
async function* inParts(
  services: Services,
  viewer: Viewer,
  { ids }: IdPage,
  write: WriteSome,
): AsyncGenerator<string> {
  let separator = '[';
  for (let start = 0; start < ids.length; start += chunk) {
    if (start > 0) await nextTurn();
    // Time has passed: who may see what is looked at anew.
    const sight = await sightOf(services.database, viewer, services.trackers);
    const manner = await mannerOf(services, sight);
    const artifacts = await readArtifacts(sight, ids.slice(start, start + chunk));
    const texts = await write(sight, manner, artifacts);
    const part = await written(sight, manner, () => texts().join(','));
    if (part === '') continue;
    yield separator + part;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** A short list is one text with a known length. */
async function writeAll(
  services: Services,
  viewer: Viewer,
  page: IdPage,
  write: WriteSome,
): Promise<Json | JsonParts> {
  const parts = new JsonParts(inParts(services, viewer, page, write));
  return page.ids.length > chunk ? parts : new Json(await parts.text());
}

function artifactsText(
  services: Services,
  viewer: Viewer,
  page: IdPage,
  forms: ValueForms,
): Promise<Json | JsonParts> {
  const needsValues = forms.collection || forms.byField;
  return writeAll(services, viewer, page, async (sight, manner, artifacts) => {
    const surroundings = await gather(sight, needsValues ? artifacts : []);
    return () => artifacts.map((artifact) => artifactText(artifact, surroundings, manner, forms));
  });
}

/** Artifacts in a short form, for which only title and status are looked at. */
function shortTexts(
  services: Services,
  viewer: Viewer,
  page: IdPage,
  write: (artifact: Artifact, writer: ValueWriter) => string,
): Promise<Json | JsonParts> {
  return writeAll(services, viewer, page, async (sight, manner, artifacts) => {
    const nothing = await gather(sight, []);
    return () => artifacts.map((artifact) => write(artifact, new ValueWriter(artifact, nothing, manner)));
  });
}

const common = ({ row: { id }, view: { tracker } }: Artifact) =>
  `"id":${id},"uri":"artifacts/${id}","html_url":"/plugins/tracker/?aid=${id}"` +
  `,"xref":"${tracker.itemName} #${id}","tracker":${minimalTrackerText(tracker)}`;

const parentText = (artifact: Artifact, writer: ValueWriter) =>
  `{${common(artifact)},"title":${JSON.stringify(titleOf(artifact, writer) ?? '')}` +
  `,"full_status":${JSON.stringify(statusOf(artifact, writer))}}`;

const ownText = (artifact: Artifact, writer: ValueWriter) =>
  `{${common(artifact)},"title":${JSON.stringify(titleOf(artifact, writer))}}`;

function isDescending(order = 'asc'): boolean {
  const wish = order.toLowerCase();
  if (wish !== 'asc' && wish !== 'desc')
    throw invalid('Invalid value specified for `order`. Expected one of (asc,desc).');
  return wish === 'desc';
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

interface Asked {
  readonly query?: string;
  readonly expert_query?: string;
}

/** Criteria of the query string win over a query, and that over criteria in the body; undefined: everything is asked for. */
function selectionOf({ query = '', expert_query: text = '' }: Asked, body: unknown): Selection | undefined {
  const hasCriteria = query !== '' && query !== '0';
  if (!hasCriteria && text !== '') return { query: text };
  const criteria = hasCriteria ? parseCriteria(query) : body;
  requireShallow(criteria);
  return isEmpty(criteria) ? undefined : { criteria };
}

/** Which artifacts `/users/self/artifacts` is asked for. */
function ownWish(query: string) {
  let wish: unknown;
  try {
    wish = JSON.parse(query);
  } catch {
    throw invalid('Invalid value specified for `query`. It must be a JSON object.');
  }
  const { submitted_by: submittedBy = false, assigned_to: assignedTo = false } =
    typeof wish === 'object' && wish !== null ? (wish as Readonly<Record<string, unknown>>) : {};
  if (typeof submittedBy !== 'boolean' || typeof assignedTo !== 'boolean' || !(submittedBy || assignedTo))
    throw invalid('Invalid value specified for `query`. "submitted_by" or "assigned_to" must be true.');
  return { submittedBy, assignedTo };
}

export function trackerArtifactBindings(services: Services): RouteBinding[] {
  const { database, searches, trackers } = services;
  return [
    bind(contract.listTrackerArtifacts, async ({ viewer, params, query, body }) => {
      const { limit, offset } = query;
      const selection = selectionOf(query, body);
      const isReversed = isDescending(query.order);
      const page = { limit, offset, isDescending: selection === undefined && isReversed };
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      const all = selection === undefined ? await pageOfAll(database, view, page) : undefined;
      const found =
        all ??
        (await searches.findArtifactPage(viewer, {
          ...page,
          trackerId: params.id,
          selection: selection ?? { criteria: null },
          patience: services.config.searchSeconds * second,
        }));
      const forms = { collection: query.values === 'all', byField: false };
      const text = await artifactsText(services, viewer, found, forms);
      return { body: text, page: { limit, offset, size: found.size } };
    }),
    bind(contract.listParentArtifacts, async ({ viewer, params, query: { limit, offset } }) => {
      const found = await searches.findParentArtifacts(viewer, { trackerId: params.id, limit, offset });
      const body = await shortTexts(services, viewer, found, parentText);
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
    bind(contract.listOwnArtifacts, async ({ viewer, params, query: { query = '', limit, offset } }) => {
      if (params.id !== 'self')
        throw forbidden('You can list your own artifacts only: use /users/self/artifacts.');
      const found = await searches.findOwnArtifacts(viewer, { ...ownWish(query), limit, offset });
      const body = await shortTexts(services, viewer, found, ownText);
      return { body, page: { limit, offset, size: found.size } };
    }),
  ];
}
