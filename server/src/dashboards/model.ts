import type { widgetKinds } from '@atelier/contract';

export type WidgetKind = (typeof widgetKinds)[number];

/** A tile. */
export interface Widget {
  /** Within its dashboard. */
  readonly id: number;
  readonly kind: WidgetKind;
  /** Empty where nobody chose one. */
  readonly title: string;
  /** By kind; checked when they were given. */
  readonly settings: unknown;
}

export interface Cell {
  /** Columns of twelve. */
  readonly width: number;
  /** One below the other. */
  readonly widgets: readonly Widget[];
}

export interface DashboardRow {
  readonly cells: readonly Cell[];
}

/** Tiles of a project or of a person. */
export interface Dashboard {
  readonly id: number;
  readonly title: string;
  /** Null for one of a person. */
  readonly projectId: number | null;
  /** Null for one of a project. */
  readonly ownerId: number | null;
  readonly isDefault: boolean;
  /** Another one after every change. */
  readonly version: number;
  readonly nextWidgetId: number;
  readonly rows: readonly DashboardRow[];
}

export const widgetsOf = (rows: readonly DashboardRow[]): readonly Widget[] =>
  rows.flatMap(({ cells }) => cells.flatMap(({ widgets }) => widgets));
