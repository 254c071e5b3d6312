import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/** A saved search of a tracker. */
export interface ReportTable {
  id: Generated<number>;
  tracker_id: number;
  /** Null: it belongs to the project. */
  owner_id: number | null;
  name: string;
  /** The name folded, by which reports are listed. */
  name_key: string;
  description: string;
  /** One public report of a tracker. */
  is_default: Flag;
  is_query_displayed: Flag;
  /** Whether the query counts, instead of the criteria. */
  uses_query: Flag;
  query: string;
  /** JSON array. */
  criteria: string;
}

/** A table, or another picture, in which a report shows artifacts. */
export interface ReportTableTable {
  id: Generated<number>;
  report_id: number;
  /** `table`, `board` and so on. */
  type: string;
  name: string;
  description: string;
  rank: number;
  page_size: number;
  /** JSON array; null: the usual ones. */
  columns: string | null;
  /** JSON array. */
  sort: string;
  /** JSON object: what else there is to say about its type. */
  settings: string;
}

export interface ReportTables {
  report: ReportTable;
  report_table: ReportTableTable;
}
