import * as contract from '@atelier/contract';
import { second } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentReport, presentReportSettings } from '../../../present/index.ts';
import { type IdPage, requireShallow } from '../../../search/index.ts';
import {
  listReports,
  type Renderer,
  type Report,
  type ReportRequest,
  requireReport,
  type SeenReport,
  shownColumns,
  type TrackerView,
} from '../../../trackers/index.ts';
import type { Writing } from '../../in-parts.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { asArtifacts, asFlat, listOf } from '../artifacts/index.ts';

type Settings = contract.BodyOf<typeof contract.patchReportSettings>;
type RendererInput = NonNullable<Settings['renderers']>[number];

const columnIn = (input: NonNullable<RendererInput['columns']>[number]) => ({
  fieldId: input.field_id,
  ...(input.artlink_nature ? { linkType: input.artlink_nature } : {}),
  ...(input.artlink_nature_format ? { linkFormat: input.artlink_nature_format } : {}),
});

const rendererIn = ({ id, type, label, description, page_size, columns, sort, settings }: RendererInput) => ({
  id,
  type,
  settings,
  name: label,
  description,
  pageSize: page_size,
  columns: columns === null ? null : columns?.map(columnIn),
  sort: sort?.map(({ field_id, is_descending }) => ({
    fieldId: field_id,
    ...(is_descending ? { isDescending: true as const } : {}),
  })),
});

function inputIn(body: Settings): ReportRequest {
  requireShallow(body.criteria);
  for (const { settings } of body.renderers ?? []) requireShallow(settings);
  return {
    name: body.label,
    description: body.description,
    isPublic: body.is_public,
    isDefault: body.is_default,
    isQueryDisplayed: body.is_query_displayed,
    usesQuery: body.is_in_expert_mode,
    query: body.expert_query,
    criteria: body.criteria,
    renderers: body.renderers?.map(rendererIn),
  };
}

/** The table whose columns are asked for. */
function tableOf({ renderers }: Report, id: number | undefined): Renderer {
  const tables = renderers.filter(({ type }) => type === 'table');
  const [first, ...more] = tables;
  if (first === undefined) throw invalid('The report has no table: ask for all values, or for none.');
  const request = tables.find((table) => table.id === id);
  if (request !== undefined) return request;
  if (more.length > 0)
    throw invalid('The report has several renderers: `table_renderer_id` must be the id of one of them.');
  if (id !== undefined) throw invalid(`The report has no table ${id}. Its table is ${first.id}.`);
  return first;
}

type ArtifactRequest = contract.QueryOf<typeof contract.listReportArtifacts>;

/** Which fields of an artifact are shown; undefined where there are to be no values at all. */
function fieldsIn(report: Report, { values, table_renderer_id: tableId }: ArtifactRequest) {
  if (values === undefined) return undefined;
  if (values === 'all') return ({ shown }: TrackerView) => shown;
  const table = tableOf(report, tableId);
  return (view: TrackerView) => shownColumns(table, view);
}

/** The form in which artifacts are asked for. */
function asAsked(
  fieldsOf: ReturnType<typeof fieldsIn>,
  format: ArtifactRequest['output_format'] = 'nested',
): Writing {
  if (format === 'nested') {
    const forms = { collection: fieldsOf !== undefined, byField: false };
    return asArtifacts(fieldsOf === undefined ? forms : { ...forms, fieldsOf });
  }
  return asFlat(format === 'flat_with_semicolon_string_array', fieldsOf);
}

function requireValues(fieldsOf: ReturnType<typeof fieldsIn>, { ids }: IdPage, format = 'nested'): void {
  if (format !== 'nested' && fieldsOf === undefined && ids.length > 0)
    throw invalid('The flat formats need values: `values` must be `all` or `from_table_renderer`.');
}

export function trackerReportBindings(services: Services): RouteBinding[] {
  const { config, database, operations, searches, trackers, publicUrl } = services;
  const seen = async (viewer: Viewer, id: number): Promise<SeenReport> =>
    requireReport(database, viewer, id, { trackers, revisions: await database.revisions() });
  return [
    bind(contract.listReports, async ({ viewer, params, query }) => {
      await trackers.require(database, viewer, params.id, await database.revisions());
      const reports = await listReports(database, viewer, { trackerId: params.id, ...query });
      return pageOf(query, reports, presentReport);
    }),
    bind(contract.getReport, async ({ viewer, params }) => ({
      body: presentReport((await seen(viewer, params.id)).report),
    })),
    bind(contract.listReportArtifacts, async ({ viewer, params, query, room }) => {
      const { limit, offset, output_format: format } = query;
      const { report } = await seen(viewer, params.id);
      const fieldsOf = fieldsIn(report, query);
      const patience = config.searchSeconds * second;
      const input = { reportId: params.id, limit, offset, patience };
      const found = await searches.findReportArtifacts(viewer, input);
      requireValues(fieldsOf, found, format);
      const body = listOf(services, { viewer, room }, found, asAsked(fieldsOf, format));
      return { body, page: { limit, offset, size: found.size } };
    }),
    bind(contract.createReport, async ({ viewer, params, body }) => {
      const input = { ...inputIn(body), name: body.label, trackerId: params.id };
      const id = await operations.createReport(viewer, input);
      return {
        body: presentReportSettings(await seen(viewer, id)),
        headers: { Location: `${publicUrl}/api/v1/tracker_reports/${id}` },
      };
    }),
    bind(contract.getReportSettings, async ({ viewer, params }) => ({
      body: presentReportSettings(await seen(viewer, params.id)),
    })),
    bind(contract.patchReportSettings, async ({ viewer, params, body }) => {
      await operations.changeReport(viewer, { id: params.id, ...inputIn(body) });
      return { body: presentReportSettings(await seen(viewer, params.id)) };
    }),
    bind(contract.deleteReport, async ({ viewer, params }) => {
      await operations.deleteReport(viewer, { id: params.id });
      return {};
    }),
  ];
}
