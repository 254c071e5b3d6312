import type * as contract from '@atelier/contract';
import {
  columnsOf,
  type ListedReport,
  mayName,
  type Renderer,
  type Report,
  type SavedCriterion,
  type SeenReport,
  shownSettings,
  type TrackerView,
} from '../trackers/index.ts';

const uriOf = ({ id }: Pick<Report, 'id'>) => `tracker_reports/${id}`;

export function presentReport(report: ListedReport): contract.Report {
  const uri = uriOf(report);
  return {
    id: report.id,
    uri,
    label: report.name,
    is_public: report.ownerId === null,
    is_default: report.isDefault,
    resources: [{ type: 'artifacts', uri: `${uri}/artifacts` }],
  };
}

function presentRenderer(renderer: Renderer, view: TrackerView): contract.ReportRenderer {
  const columns = (renderer.type === 'table' ? columnsOf(renderer, view.tracker) : []).filter(({ fieldId }) =>
    mayName(view, fieldId),
  );
  return {
    id: renderer.id,
    type: renderer.type,
    label: renderer.name,
    description: renderer.description,
    page_size: renderer.pageSize,
    has_usual_columns: renderer.columns === null,
    columns: columns.map(({ fieldId, linkType, linkFormat }) => ({
      field_id: fieldId,
      ...(linkType === undefined ? {} : { artlink_nature: linkType }),
      ...(linkFormat === undefined ? {} : { artlink_nature_format: linkFormat }),
    })),
    sort: renderer.sort
      .filter(({ fieldId }) => mayName(view, fieldId))
      .map(({ fieldId, isDescending = false }) => ({ field_id: fieldId, is_descending: isDescending })),
    settings: shownSettings(renderer.type, renderer.settings, view, (fieldId) => mayName(view, fieldId)),
  };
}

/** Criteria by what a request would call their fields, as far as the viewer may know of them. */
function presentCriteria(criteria: readonly SavedCriterion[], view: TrackerView): Record<string, unknown> {
  const entries = criteria.flatMap(({ fieldId, asks = null }): [string, unknown][] => {
    if (fieldId === null) return [['@comments', asks]];
    const name = view.tracker.elementById.get(fieldId)?.name;
    return name === undefined || !mayName(view, fieldId) ? [] : [[name, asks]];
  });
  return Object.fromEntries(entries);
}

export function presentReportSettings({ report, view }: SeenReport): contract.ReportSettings {
  const { id, uri, label, is_public, is_default } = presentReport(report);
  const { trackerId } = report;
  return {
    id,
    uri,
    label,
    description: report.description,
    tracker: { id: trackerId, uri: `trackers/${trackerId}` },
    is_public,
    is_default,
    is_query_displayed: report.isQueryDisplayed,
    is_in_expert_mode: report.usesQuery,
    expert_query: report.query,
    criteria: presentCriteria(report.criteria, view),
    renderers: report.renderers.map((renderer) => presentRenderer(renderer, view)),
  };
}
