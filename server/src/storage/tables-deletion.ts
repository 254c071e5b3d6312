import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/** That somebody deleted an artifact, for as long as it counts. */
export interface ArtifactDeletionTable {
  id: Generated<number>;
  account_id: number;
  deleted_at: number;
}

/** An artifact that is deleted, for as long as something is left of it or it can be brought back. */
export interface DeletedArtifactTable {
  artifact_id: number;
  tracker_id: number;
  title: string | null;
  deleted_by: number;
  deleted_on: number;
  /** The name of its archive; null: there is none. */
  archive: string | null;
  /** Whether there may be changesets of it: not yet removed, or of a restoration that was cut short. */
  has_remains: Flag;
  /** Who brings it back at the moment, and until when they need not say so again. */
  restorer: string | null;
  restorer_until: number | null;
}

/** What happened in a project that its administrators should know of. */
export interface ProjectHistoryTable {
  id: Generated<number>;
  project_id: number;
  happened_at: number;
  /** 0: nobody who has an account. */
  account_id: number;
  /** What kind of thing happened: `tracker_artifact_delete`. */
  event: string;
  /** To what, in words. */
  subject: string;
  /** JSON object with before and after; null where there is neither. */
  details: Generated<string | null>;
}

export interface DeletionTables {
  artifact_deletion: ArtifactDeletionTable;
  deleted_artifact: DeletedArtifactTable;
  project_history: ProjectHistoryTable;
}
