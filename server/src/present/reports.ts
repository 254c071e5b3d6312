import type * as contract from '@atelier/contract';
import {
  columnsOf,
  type ListedReport,
  mayName,
  type Report,
  type ReportTable,
  type SavedCriterion,
  type SeenReport,
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

function presentTable(table: ReportTable, view: TrackerView): contract.ReportRenderer {
  const columns = columnsOf(table, view.tracker).filter(({ fieldId }) => mayName(view, fieldId));
  return {
    id: table.id,
    type: 'table',
    label: table.name,
    description: table.description,
    page_size: table.pageSize,
    has_usual_columns: table.columns === null,
    columns: columns.map(({ fieldId, linkType, linkFormat }) => ({
      field_id: fieldId,
      ...(linkType === undefined ? {} : { artlink_nature: linkType }),
      ...(linkFormat === undefined ? {} : { artlink_nature_format: linkFormat }),
    })),
    sort: table.sort
      .filter(({ fieldId }) => mayName(view, fieldId))
      .map(({ fieldId, isDescending = false }) => ({ field_id: fieldId, is_descending: isDescending })),
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
    renderers: report.tables.map((table) => presentTable(table, view)),
  };
}
