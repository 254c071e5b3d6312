import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/** A place for queries: of a project, or of a person. */
export interface SearchWidgetTable {
  id: Generated<number>;
  /** Exactly one of the two is set. */
  project_id: number | null;
  owner_id: number | null;
  title: string;
}

/** A query over several trackers that is kept. */
export interface SearchQueryTable {
  /** In the order in which they were made. */
  number: Generated<number>;
  /** A UUID of version 7. */
  id: string;
  widget_id: number;
  tql_query: string;
  title: string;
  description: string;
  /** At most one in a widget. */
  is_default: Flag;
}

/** Tiles that somebody arranged: of a project, or of a person. */
export interface DashboardTable {
  id: Generated<number>;
  /** Exactly one of the two is set. */
  project_id: number | null;
  owner_id: number | null;
  title: string;
  /** Folded, for finding it. */
  title_key: string;
  /** Exactly one of those of a project or a person. */
  is_default: Flag;
  version: number;
  /** Ids of widgets are never used twice. */
  next_widget_id: number;
  /** Its rows, as JSON. */
  content: string;
}

export interface WidgetTables {
  dashboard: DashboardTable;
  search_widget: SearchWidgetTable;
  search_query: SearchQueryTable;
}
