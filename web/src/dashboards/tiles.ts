import type { Dashboard, DashboardWidget } from '@atelier/client/routes';
import type { Rows, Tile } from './arrange.ts';
import { linksOf, numberIn, settingsOf, textIn } from './widgets.tsx';

type Kind = DashboardWidget['kind'];

export const kinds: readonly Kind[] = [
  'count',
  'report',
  'chart',
  'query',
  'text',
  'mine',
  'activity',
  'burndown',
  'links',
  'recent',
  'favorites',
];

/** How wide a new one is. */
export const usualWidths: Readonly<Record<Kind, number>> = {
  count: 3,
  report: 6,
  chart: 6,
  query: 12,
  text: 6,
  mine: 6,
  activity: 6,
  burndown: 6,
  links: 3,
  recent: 4,
  favorites: 3,
};

/** What is on a dashboard, to be arranged. */
export const rowsOf = ({ rows }: Pick<Dashboard, 'rows'>): Rows =>
  rows.map(({ cells }) => ({
    cells: cells.map(({ width, widgets }) => ({
      width,
      tiles: widgets.map((widget): Tile => ({ ...widget, key: `widget-${widget.id}` })),
    })),
  }));

let made = 0;

export const newTile = (kind: Kind, projectId: number | null): Tile => ({
  key: `new-${++made}`,
  kind,
  title: '',
  label: '',
  is_hidden: false,
  settings: startOf(kind, projectId),
});

function startOf(kind: Kind, projectId: number | null): unknown {
  if (kind === 'links') return [];
  if (kind === 'text') return { commonmark: '' };
  if (kind === 'mine') return { role: 'assigned' };
  if (kind === 'activity' && projectId !== null) return { project_id: projectId };
  return {};
}

/** Kinds that show something at once, without being told what. */
export const needsNothing = (kind: Kind): boolean => kind === 'recent' || kind === 'favorites';

/** Whether a widget has been told what it needs. */
export function isComplete(tile: Pick<Tile, 'kind' | 'settings'>): boolean {
  const settings = settingsOf(tile);
  switch (tile.kind) {
    case 'count':
      return numberIn(settings, 'tracker_id') !== undefined;
    case 'report':
    case 'chart':
      return numberIn(settings, 'report_id') !== undefined;
    case 'burndown':
      return numberIn(settings, 'artifact_id') !== undefined && numberIn(settings, 'field_id') !== undefined;
    case 'activity':
      return numberIn(settings, 'project_id') !== undefined;
    case 'query':
      return textIn(settings, 'query_id') !== '' || textIn(settings, 'tql_query').trim() !== '';
    case 'links':
      return linksOf(tile).every(({ label, href }) => label.trim() !== '' && href.trim() !== '');
    default:
      return true;
  }
}
