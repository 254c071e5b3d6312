import { renamedInQuery } from '../search/index.ts';
import { contains, type Transaction } from '../storage/index.ts';
import type { FieldRenaming, TrackerExtension } from '../trackers/index.ts';
import type { DashboardRow, Widget } from './model.ts';
import { settingsOf } from './shown.ts';
import { lockDashboards, updateDashboard } from './store.ts';

/** A number whose query asks for the field by its new name. */
function renamedWidget(widget: Widget, renaming: FieldRenaming): Widget {
  if (widget.kind !== 'count') return widget;
  const settings = settingsOf<'count'>(widget);
  const { tracker_id: trackerId, expert_query: query } = settings;
  if (trackerId !== renaming.trackerId || query === undefined || query.trim() === '') return widget;
  return { ...widget, settings: { ...settings, expert_query: renamedInQuery(query, renaming) } };
}

const renamedRows = (rows: readonly DashboardRow[], renaming: FieldRenaming): readonly DashboardRow[] =>
  rows.map(({ cells }) => ({
    cells: cells.map(({ width, widgets }) => ({
      width,
      widgets: widgets.map((widget) => renamedWidget(widget, renaming)),
    })),
  }));

/** Numbers count what they counted, whatever a field is called that their queries name. */
async function fieldRenamed(tx: Transaction, renaming: FieldRenaming): Promise<void> {
  const isAbout = contains('content', `"tracker_id":${renaming.trackerId}`);
  for (const dashboard of await lockDashboards(tx, isAbout)) {
    const rows = renamedRows(dashboard.rows, renaming);
    if (JSON.stringify(rows) !== JSON.stringify(dashboard.rows))
      await updateDashboard(tx, { ...dashboard, rows, version: dashboard.version + 1 });
  }
}

/** What dashboards do when trackers change. */
export const dashboardsOfTrackers: TrackerExtension = { fieldRenamed };
