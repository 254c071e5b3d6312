import { readArtifact } from '../artifacts/index.ts';
import { invalid, Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { readProject } from '../projects/index.ts';
import { reportLanguage, requireQuery } from '../search/index.ts';
import type { Database } from '../storage/index.ts';
import { requireReport, type Trackers } from '../trackers/index.ts';
import { type DashboardRow, type Widget, type WidgetKind, widgetsOf } from './model.ts';

/** A widget as somebody sees it. */
export interface ShownWidget extends Widget {
  /** The title, or else the name of what it shows. */
  readonly label: string;
  /** What it shows is gone, or not for the viewer. */
  readonly isHidden: boolean;
}

/** Whoever looks, and with what. */
export interface Looking {
  readonly database: Database;
  readonly viewer: Viewer;
  readonly trackers: Trackers;
}

/** Settings were checked when they were given. */
interface SettingsByKind {
  readonly query: { readonly query_id?: string };
  readonly report: { readonly report_id: number; readonly renderer_id?: number };
  readonly count: { readonly tracker_id: number; readonly expert_query?: string };
  readonly burndown: { readonly artifact_id: number; readonly field_id: number };
  readonly activity: { readonly project_id: number };
}

export const settingsOf = <Kind extends keyof SettingsByKind>({ settings }: Widget) =>
  settings as SettingsByKind[Kind];

type Look = (looking: Looking, widget: Widget) => Promise<string>;

async function nameOfReport({ database, viewer, trackers }: Looking, widget: Widget): Promise<string> {
  const { report_id, renderer_id } = settingsOf<'report'>(widget);
  const revisions = await database.revisions();
  const { report } = await requireReport(database, viewer, report_id, { trackers, revisions });
  const fits = report.renderers.filter(({ type }) => widget.kind !== 'chart' || type === 'chart');
  const renderer = renderer_id === undefined ? fits[0] : fits.find(({ id }) => id === renderer_id);
  if (renderer === undefined)
    throw invalid(widget.kind === 'chart' ? 'The report has no such chart.' : 'The report has no such view.');
  return widget.kind === 'chart' && renderer.name !== '' ? renderer.name : report.name;
}

/** Gives the name of what a widget is about; refuses as the thing itself does. */
const looks: Partial<Readonly<Record<WidgetKind, Look>>> = {
  async query({ database, viewer }, widget) {
    const { query_id } = settingsOf<'query'>(widget);
    return query_id === undefined ? '' : (await requireQuery(database, viewer, query_id)).query.title;
  },
  report: nameOfReport,
  chart: nameOfReport,
  async count({ database, viewer, trackers }, widget) {
    const { tracker_id } = settingsOf<'count'>(widget);
    return (await trackers.require(database, viewer, tracker_id, await database.revisions())).tracker.name;
  },
  async burndown({ database, viewer, trackers }, widget) {
    const { artifact_id, field_id } = settingsOf<'burndown'>(widget);
    const { artifact } = await readArtifact(database, viewer, trackers, artifact_id);
    const { view } = artifact;
    const field = view.tracker.elementById.get(field_id);
    if (field === undefined || !view.canRead(field)) throw invalid('The artifact has no such field.');
    return `${view.tracker.itemName} #${artifact_id}: ${field.label}`;
  },
  async activity({ database, viewer }, widget) {
    return (await readProject(database, viewer, settingsOf<'activity'>(widget).project_id)).project.label;
  },
};

async function shown(looking: Looking, widget: Widget): Promise<ShownWidget> {
  try {
    const name = (await looks[widget.kind]?.(looking, widget)) ?? '';
    return { ...widget, label: widget.title || name, isHidden: false };
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
    return { ...widget, title: '', label: '', settings: {}, isHidden: true };
  }
}

/** All widgets of a dashboard as the viewer sees them, by their ids. */
export async function shownWidgets(
  looking: Looking,
  rows: readonly DashboardRow[],
): Promise<ReadonlyMap<number, ShownWidget>> {
  const seen = new Map<number, ShownWidget>();
  for (const widget of widgetsOf(rows)) seen.set(widget.id, await shown(looking, widget));
  return seen;
}

function placeOf(rows: readonly DashboardRow[], id: number): string {
  for (const [row, { cells }] of rows.entries())
    for (const [cell, { widgets }] of cells.entries()) {
      const at = widgets.findIndex((widget) => widget.id === id);
      if (at >= 0) return `rows[${row}].cells[${cell}].widgets[${at}].settings`;
    }
  return 'rows';
}

const isSame = (one: Widget | undefined, other: Widget) =>
  one !== undefined &&
  one.kind === other.kind &&
  JSON.stringify(one.settings) === JSON.stringify(other.settings);

async function requireOne(looking: Looking, widget: Widget): Promise<void> {
  await looks[widget.kind]?.(looking, widget);
  if (widget.kind !== 'count') return;
  const { database, viewer, trackers } = looking;
  const { tracker_id, expert_query = '' } = settingsOf<'count'>(widget);
  const view = await trackers.require(database, viewer, tracker_id, await database.revisions());
  await reportLanguage.checkQuery(database, viewer, view, expert_query);
}

/** Refuses widgets that are new or other than before and name what whoever writes cannot see. */
export async function requireShown(
  looking: Looking,
  rows: readonly DashboardRow[],
  before: readonly DashboardRow[],
): Promise<void> {
  const known = new Map(widgetsOf(before).map((widget) => [widget.id, widget]));
  for (const widget of widgetsOf(rows)) {
    if (isSame(known.get(widget.id), widget)) continue;
    try {
      await requireOne(looking, widget);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
      const { detail, extras } = error;
      const words = extras.userMessage ?? detail;
      throw new Refusal(
        'invalid',
        `Invalid value specified for \`${placeOf(rows, widget.id)}\`. ${words}`,
        extras.textPosition === undefined ? {} : extras,
      );
    }
  }
}

/** What of a dashboard somebody can take along: all that they see. */
export function copiedRows(
  rows: readonly DashboardRow[],
  seen: ReadonlyMap<number, ShownWidget>,
): readonly DashboardRow[] {
  return rows
    .map(({ cells }) => ({
      cells: cells
        .map(({ width, widgets }) => ({
          width,
          widgets: widgets.filter(({ id }) => seen.get(id)?.isHidden === false),
        }))
        .filter(({ widgets }) => widgets.length > 0),
    }))
    .filter(({ cells }) => cells.length > 0);
}
