import * as contract from '@atelier/contract';
import {
  listFavorites,
  listVisits,
  requireSelf,
  type Visit,
  type VisitedPlace,
} from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentMinimalProject } from '../../../present/index.ts';
import type { Project } from '../../../projects/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { findPlace, placeOf, requirePlace, type SeenPlace, uriOf } from './places.ts';
import { userIdOf } from './users.ts';

/** Entries of the history that are told. */
const mostEntries = 30;

function presentVisit(place: SeenPlace, project: Project, { visitedAt }: Visit): contract.HistoryEntry {
  const { status } = place;
  return {
    visit_time: formatInstant(visitedAt),
    xref: place.xref,
    html_url: place.url,
    title: place.title,
    color_name: place.color ?? '',
    type: place.kind,
    per_type_id: place.id,
    icon: null,
    small_icon: null,
    icon_name: '',
    project: presentMinimalProject(project),
    quick_links: [],
    badges: status === null ? [] : [{ label: status.value, color: status.color }],
  };
}

const presentFavorite = (place: SeenPlace): contract.Favorite => ({
  uri: uriOf(place),
  kind: place.kind,
  label: place.title || (place.xref ?? ''),
  xref: place.xref,
  html_url: place.url,
  color: place.color,
  icon: place.kind === 'project' && place.project?.icon ? place.project.icon : null,
});

/** The last visits to what the viewer can still see. */
async function historyOf(services: Services, viewer: Viewer, accountId: number) {
  requireSelf(viewer, accountId);
  await services.visits.settled(accountId);
  const entries: contract.HistoryEntry[] = [];
  for (const visit of await listVisits(services.database, viewer, accountId)) {
    const place = await findPlace(services, viewer, visit);
    // An entry has a project, which dashboards of people have not.
    if (place !== undefined && place.project !== null)
      entries.push(presentVisit(place, place.project, visit));
    if (entries.length === mostEntries) break;
  }
  return entries;
}

async function favoritesOf(services: Services, viewer: Viewer, accountId: number) {
  const seen: SeenPlace[] = [];
  const unseen: VisitedPlace[] = [];
  for (const favorite of await listFavorites(services.database, viewer, accountId)) {
    const place = await findPlace(services, viewer, favorite);
    if (place === undefined) unseen.push(favorite);
    else seen.push(place);
  }
  return { seen, unseen };
}

/** The places that are named; each must be one that the viewer may see. */
async function placesIn(
  services: Services,
  viewer: Viewer,
  uris: readonly string[],
): Promise<VisitedPlace[]> {
  if (new Set(uris).size < uris.length) throw invalid('`uris` names something more than once.');
  const places = uris.map((uri, at) => placeOf(uri, `uris[${at}]`));
  for (const place of places) await requirePlace(services, viewer, place);
  return places.map(({ kind, id }) => ({ kind, id }));
}

export function ownPlaceBindings(services: Services): RouteBinding[] {
  const { operations } = services;
  return [
    bind(contract.getHistory, async ({ viewer, params }) => ({
      body: { entries: await historyOf(services, viewer, userIdOf(viewer, params.id)) },
    })),
    bind(contract.putHistory, async ({ viewer, params, body }) => {
      await operations.clearHistory(viewer, { accountId: userIdOf(viewer, params.id), entries: body.length });
      return {};
    }),
    bind(contract.recordVisit, async ({ viewer, params, body }) => {
      const accountId = userIdOf(viewer, params.id);
      requireSelf(viewer, accountId);
      const { kind, id } = await requirePlace(services, viewer, placeOf(body.uri, 'uri'));
      await operations.recordVisit(viewer, { accountId, place: { kind, id } });
      return {};
    }),
    bind(contract.getFavorites, async ({ viewer, params }) => {
      const { seen } = await favoritesOf(services, viewer, userIdOf(viewer, params.id));
      return { body: seen.map(presentFavorite) };
    }),
    bind(contract.putFavorites, async ({ viewer, params, body }) => {
      const accountId = userIdOf(viewer, params.id);
      const { unseen } = await favoritesOf(services, viewer, accountId);
      const places = await placesIn(services, viewer, body.uris);
      await operations.replaceFavorites(viewer, { accountId, places, unseen });
      const { seen } = await favoritesOf(services, viewer, accountId);
      return { body: seen.map(presentFavorite) };
    }),
  ];
}
