import type { ArtifactRow, ReportRenderer, ReportSettings, Tracker } from '@atelier/client/routes';
import type { ComponentType } from 'react';
import { type IconName, type Later, later } from '../ui/index.ts';
import type { AskedSearch, TableSearch, View, ViewChange } from './view.ts';

/** The ways to look at what a search finds, in the order of their buttons. */
const viewKinds = ['table', 'board', 'calendar', 'timeline', 'charts'] as const;
export type ViewKind = (typeof viewKinds)[number];
/** Drawn by rooms above this one. */
export type OtherKind = Exclude<ViewKind, 'table'>;

/** What the renderer of a report keeps for a view, as `web-api` names it; whoever draws it reads what it knows. */
export type ViewSettings = Readonly<Record<string, unknown>>;

/** What the page of a tracker hands over to a view that another room draws. */
export interface ViewProps {
  readonly tracker: Tracker;
  /** Filters, query, words and order: what is looked for. */
  readonly view: View;
  /** The same as routes of the API are asked for it. */
  readonly search: AskedSearch;
  readonly report: ReportSettings | undefined;
  /** What the report keeps, and what the address says otherwise. */
  readonly settings: ViewSettings;
  /** Sets members of the settings: the address has them until the view is saved. */
  readonly onSettings: (patch: ViewSettings) => void;
  readonly onChangeView: (change: ViewChange) => void;
  /** The place among the filters for menus of the view: draw into it by `createPortal`. */
  readonly tools: HTMLElement | null;
  /** Told what is found, for the bar above. */
  readonly onFound: (found: { readonly size: number | undefined; readonly error: Error | null }) => void;
  /** The id of the artifact in the side panel. */
  readonly opened: number | undefined;
  readonly onOpen: (row: Pick<ArtifactRow, 'id'>) => void;
}

export type OfferedViews = Partial<Record<OtherKind, () => Promise<ComponentType<ViewProps>>>>;

const offered = new Map<ViewKind, Later<ComponentType<ViewProps>>>();

/** Tells which views other rooms draw; they are loaded when somebody looks at them. */
export function offerViews(views: OfferedViews): void {
  for (const kind of viewKinds) {
    const load = kind === 'table' ? undefined : views[kind];
    if (load !== undefined && !offered.has(kind)) offered.set(kind, later(load));
  }
}

export const offeredKinds = (): readonly ViewKind[] =>
  viewKinds.filter((kind) => kind === 'table' || offered.has(kind));

/** Who draws a view; undefined for the table. */
export const drawnBy = (kind: ViewKind) => offered.get(kind);

/** Reports call the view with charts after one of them. */
export const rendererOf = (kind: ViewKind): ReportRenderer['type'] => (kind === 'charts' ? 'chart' : kind);

/** What the address asks for, else what the report begins with; a table where nobody draws that. */
export function kindOf({ view }: TableSearch, report: ReportSettings | undefined): ViewKind {
  const first = report?.renderers[0]?.type;
  return (
    offeredKinds().find((kind) => kind === view || (view === undefined && rendererOf(kind) === first)) ??
    'table'
  );
}

/** The letter after `v` that leads to a view. */
export const keyOf: Readonly<Record<ViewKind, string>> = {
  table: 't',
  board: 'b',
  calendar: 'c',
  timeline: 'l',
  charts: 'h',
};

export const iconOf: Readonly<Record<ViewKind, IconName>> = {
  table: 'table',
  board: 'layout-kanban',
  calendar: 'calendar',
  timeline: 'timeline',
  charts: 'chart-bar',
};
