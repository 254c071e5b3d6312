import { contains, containsInAnyCase, type Transaction } from '../storage/index.ts';
import type { TrackerExtension } from '../trackers/index.ts';
import type { DashboardRow, Widget } from './model.ts';
import { settingsOf } from './shown.ts';
import { lockDashboards, updateDashboard } from './store.ts';

type QueryChange = (query: string) => string;

/** A number that counts by the changed query, where it is about the tracker. */
function changedWidget(widget: Widget, about: number, changed: QueryChange): Widget {
  if (widget.kind !== 'count') return widget;
  const settings = settingsOf<'count'>(widget);
  const { tracker_id: trackerId, expert_query: query } = settings;
  if (trackerId !== about || query === undefined || query.trim() === '') return widget;
  return { ...widget, settings: { ...settings, expert_query: changed(query) } };
}

const changedRows = (rows: readonly DashboardRow[], about: number, changed: QueryChange) =>
  rows.map(({ cells }) => ({
    cells: cells.map(({ width, widgets }) => ({
      width,
      widgets: widgets.map((widget) => changedWidget(widget, about, changed)),
    })),
  }));

/** Numbers count what they counted, whatever fields and values are called that their queries name. */
async function queriesChanged(tx: Transaction, trackerId: number, changed: QueryChange): Promise<void> {
  const isAbout = contains('content', `"tracker_id":${trackerId}`);
  for (const dashboard of await lockDashboards(tx, isAbout)) {
    const rows = changedRows(dashboard.rows, trackerId, changed);
    if (JSON.stringify(rows) !== JSON.stringify(dashboard.rows))
      await updateDashboard(tx, { ...dashboard, rows, version: dashboard.version + 1 });
  }
}

async function trackersInQueries(tx: Transaction, part: string): Promise<number[]> {
  const dashboards = await lockDashboards(tx, containsInAnyCase('content', part));
  const widgets = dashboards.flatMap(({ rows }) =>
    rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.widgets)),
  );
  return widgets.flatMap((widget) =>
    widget.kind === 'count' ? [settingsOf<'count'>(widget).tracker_id] : [],
  );
}

/** What dashboards do when trackers change. */
export const dashboardsOfTrackers: TrackerExtension = { queriesChanged, trackersInQueries };
