import * as contract from '@atelier/contract';
import { type Direction, gather, linkLabels } from '../../../artifacts/index.ts';
import { requireDashboard } from '../../../dashboards/index.ts';
import { second } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Page } from '../../../kernel/paging.ts';
import { foldedWords } from '../../../kernel/text.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { contentFrame, contentText, type FoundLink } from '../../../present/index.ts';
import { readProject } from '../../../projects/index.ts';
import {
  type FoundContent,
  type KeptQuery,
  listKeptQueries,
  listQueries,
  listWidgets,
  requireQuery,
  requireWidget,
  type SavedQuery,
  type Widget,
} from '../../../search/index.ts';
import { type Answering, ArtifactParts, type Writing } from '../../in-parts.ts';
import { type Answer, bind, JsonParts, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from '../artifacts/index.ts';

const presentWidget = ({ id, title, projectId }: Widget): contract.SearchWidget => ({
  id,
  uri: `crosstracker_widget/${id}`,
  title,
  project_id: projectId,
});

const presentQuery = ({ id, text, title, description, isDefault }: SavedQuery): contract.SavedQuery => ({
  id,
  tql_query: text,
  title,
  description,
  is_default: isDefault,
});

const presentKept = ({ project, ...query }: KeptQuery): contract.KeptQuery => ({
  id: query.id,
  uri: `crosstracker_query/${query.id}`,
  html_url: `/query?saved=${query.id}`,
  ...{ title: query.title, description: query.description, tql_query: query.text },
  ...{ is_default: query.isDefault, widget_id: query.widgetId, may_change: query.mayChange },
  project: project && { ...project, uri: `projects/${project.id}` },
});

const contentIn = (body: contract.BodyOf<typeof contract.createQuery>) => ({
  widgetId: body.widget_id,
  text: body.tql_query,
  title: body.title,
  description: body.description ?? '',
  isDefault: body.is_default ?? false,
});

interface Asked {
  readonly text: string;
  readonly widgetId: number | undefined;
  readonly dashboardId: number | undefined;
}

/** What `query` of a search asks for: a text, and maybe the widget or the dashboard that it is asked from. */
function askedIn(query: string): Asked {
  const given = parseQueryObject(query) ?? {};
  const { tql_query: text, widget_id: widgetId, dashboard_id: dashboardId, ...more } = given;
  const [extra] = Object.keys(more);
  if (extra !== undefined) throw invalid(`parameter "query" has a member that there is not: ${extra}`);
  if (typeof text !== 'string') throw invalid('parameter "query" must have the member "tql_query", a text');
  for (const [name, id] of Object.entries({ widget_id: widgetId, dashboard_id: dashboardId }))
    if (id !== undefined && !Number.isSafeInteger(id))
      throw invalid(`member "${name}" of parameter "query" must be an integer`);
  return {
    text,
    widgetId: typeof widgetId === 'number' ? widgetId : undefined,
    dashboardId: typeof dashboardId === 'number' ? dashboardId : undefined,
  };
}

/** The project that a query is asked from, by its widget or its dashboard. */
async function projectOf(
  { database }: Services,
  viewer: Viewer,
  { widgetId, dashboardId }: Asked,
): Promise<number | null> {
  if (widgetId !== undefined) return (await requireWidget(database, viewer, widgetId)).projectId;
  if (dashboardId === undefined) return null;
  return (await requireDashboard(database, viewer, dashboardId)).dashboard.projectId;
}

const nothingFound = { selected: [], artifacts: [] };

/** Artifacts with the columns that a query selects. */
const asContent = (columns: FoundContent['columns'], links: ReadonlyMap<number, FoundLink>): Writing => ({
  gather: (readContext, artifacts) =>
    gather(readContext, artifacts, { needs: new Set(['links', 'typed values']) }),
  text: (artifact, related, presentation) => contentText(columns, artifact, { related, presentation, links }),
});

/** Shows what a query found. */
function answer(
  services: Services,
  answering: Answering,
  { columns, ids, size }: FoundContent,
  { limit, offset }: Page,
  links: ReadonlyMap<number, FoundLink> = new Map(),
): Answer<typeof nothingFound> {
  const page = { limit, offset, size };
  if (size === 0) return { body: nothingFound, page };
  const writing = asContent(columns, links);
  const parts = new ArtifactParts(services, answering, ids, writing, contentFrame(columns));
  return { body: new JsonParts(parts), page };
}

async function answerLinks(
  services: Services,
  { viewer, room }: Answering,
  request: Page & { widgetId: number; text: string; artifactId: number; direction: Direction },
): Promise<Answer<typeof nothingFound>> {
  const { database, searches, config } = services;
  const { widgetId, text, artifactId, direction, limit, offset } = request;
  await requireWidget(database, viewer, widgetId);
  const patience = config.searchSeconds * second;
  const found = await searches.findLinkedContent(viewer, {
    text,
    artifactId,
    direction,
    limit,
    offset,
    patience,
  });
  const linked = await linkLabels(database, artifactId, direction);
  const links = new Map(
    linked.map(({ id, type, label }) => {
      const nature = `nature=${encodeURIComponent(type)}&direction=${direction}`;
      const uri = type === '' ? '' : `artifacts/${artifactId}/linked_artifacts?${nature}`;
      return [id, { shortname: type, direction, label, uri }];
    }),
  );
  return answer(services, { viewer, room }, found, { limit, offset }, links);
}

function widgetBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.listWidgets, async ({ viewer, query: { project_id: projectId, limit, offset } }) => {
      const widgets = await listWidgets(database, viewer, { projectId, limit, offset });
      return pageOf({ limit, offset }, widgets, presentWidget);
    }),
    bind(contract.listKeptQueries, async ({ viewer, query }) => {
      const { words = '', project_id: projectId, limit, offset } = query;
      if (projectId !== undefined) await readProject(database, viewer, projectId);
      const search = { words: foldedWords(words), projectId, limit, offset };
      return pageOf(query, await listKeptQueries(database, viewer, search), presentKept);
    }),
    bind(contract.createWidget, async ({ viewer, body: { project_id: projectId, title = '' } }) => ({
      body: presentWidget(await operations.createWidget(viewer, { projectId, title })),
    })),
    bind(contract.getWidget, async ({ viewer, params }) => ({
      body: { queries: (await listQueries(database, viewer, params.id)).map(presentQuery) },
    })),
    bind(contract.patchWidget, async ({ viewer, params, body: { title } }) => ({
      body: presentWidget(await operations.changeWidget(viewer, { id: params.id, title })),
    })),
    bind(contract.deleteWidget, async ({ viewer, params }) => {
      await operations.deleteWidget(viewer, { id: params.id });
      return {};
    }),
    bind(contract.createQuery, async ({ viewer, body }) => ({
      body: presentQuery(await operations.createQuery(viewer, contentIn(body))),
    })),
    bind(contract.putQuery, async ({ viewer, params, body }) => ({
      body: presentQuery(await operations.replaceQuery(viewer, { id: params.id, ...contentIn(body) })),
    })),
    bind(contract.deleteQuery, async ({ viewer, params }) => {
      await operations.deleteQuery(viewer, { id: params.id });
      return {};
    }),
  ];
}

export function crossTrackerBindings(services: Services): RouteBinding[] {
  const { database, searches, config } = services;
  const patience = config.searchSeconds * second;
  return [
    ...widgetBindings(services),
    bind(contract.getContent, async ({ viewer, room, query: { query, limit, offset } }) => {
      const asked = askedIn(query);
      const projectId = await projectOf(services, viewer, asked);
      const request = { text: asked.text, projectId, limit, offset, patience };
      const found = await searches.findContent(viewer, request);
      return answer(services, { viewer, room }, found, { limit, offset });
    }),
    bind(contract.getQueryContent, async ({ viewer, room, params, query: { limit, offset } }) => {
      const { query, widget } = await requireQuery(database, viewer, params.id);
      const request = { text: query.text, projectId: widget.projectId, limit, offset, patience };
      const found = await searches.findContent(viewer, request);
      return answer(services, { viewer, room }, found, { limit, offset });
    }),
    bind(contract.getForwardLinks, ({ viewer, room, params, query }) => {
      const { tql_query: text, source_artifact_id: artifactId, limit, offset } = query;
      const request = { widgetId: params.id, text, artifactId, direction: 'forward', limit, offset } as const;
      return answerLinks(services, { viewer, room }, request);
    }),
    bind(contract.getReverseLinks, ({ viewer, room, params, query }) => {
      const { tql_query: text, target_artifact_id: artifactId, limit, offset } = query;
      const request = { widgetId: params.id, text, artifactId, direction: 'reverse', limit, offset } as const;
      return answerLinks(services, { viewer, room }, request);
    }),
  ];
}
