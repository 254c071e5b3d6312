import type { Generated } from '@bundled/kysely';

/**
 * `uploading`: its archive is still to arrive. `waiting`: somebody may begin. `running`: somebody reads it into a hidden
 * project. `done` and `failed`: it is over.
 */
export type ProjectImportState = 'uploading' | 'waiting' | 'running' | 'done' | 'failed';

/** An archive that becomes a project. */
export interface ProjectImportTable {
  id: Generated<number>;
  /** The hidden project that it is read into; once it is done, the project that has it. */
  project_id: number | null;
  /** 0: the command line, or the platform itself. */
  requested_by: number;
  /** The upload that has the bytes of the archive. */
  upload_id: number | null;
  /** Which of the archives that people upload it is: its address names it. */
  archive_number: number | null;
  file_name: string;
  /** JSON object. */
  options: string;
  state: ProjectImportState;
  /** JSON object. */
  progress: string | null;
  /** JSON object. */
  report: string | null;
  fault: string | null;
  /** Who runs it. */
  holder: string | null;
  /** When whoever runs it last said so. */
  seen_at: number;
  created_at: number;
  /** Who wants it to come to nothing; whoever runs it stops, and removes what it wrote. */
  cancelled_by: Generated<number | null>;
}

export interface ArchiveTables {
  project_import: ProjectImportTable;
}
