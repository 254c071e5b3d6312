import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/** Links between artifacts of two trackers that are still to get another type, because the hierarchy changed. */
export interface LinkRetypingTable {
  id: Generated<number>;
  /** The tracker whose artifacts have the links. */
  parent_id: number;
  child_id: number;
  /** The type that the links get: `_is_child`, or empty for children no more. */
  type: string;
  /** Artifacts of the parent tracker up to this id are done. */
  after_id: number;
}

/** A short name under which some tracker has a field that sums up, and how far its sums are kept. */
export interface SummedNameTable {
  name: string;
  /** Raised whenever all sums of this name must be made anew. */
  build: number;
  /** Whether there is a row for every sum. Before that, sums are made by looking. */
  is_ready: Flag;
}

/** A sum over the artifacts that one artifact links to. Artifacts that link to nothing have no row. */
export interface ArtifactTotalTable {
  artifact_id: number;
  /** The short name of the fields that are summed up. */
  name: string;
  build: number;
  /** An exact decimal number. */
  sum: string;
  /** How many artifacts contributed to it. */
  parts: number;
  /** Whether a number set by hand counts instead in sums over this artifact. */
  is_manual: Flag;
  /** Whether something below it may be reached in more than one way. */
  is_shared: Flag;
  /** Whether the sum does not hold any more. */
  is_stale: Flag;
  /** Raised by every change of what is below. */
  ticket: number;
  /** Ids of the trackers that it may be made from, with blanks between; `*` for very many. */
  trackers: string;
  /** Whether something that it is made from may be for certain groups only. */
  has_restricted: Flag;
}

export interface AdministrationTables {
  link_retyping: LinkRetypingTable;
  summed_name: SummedNameTable;
  artifact_total: ArtifactTotalTable;
}
