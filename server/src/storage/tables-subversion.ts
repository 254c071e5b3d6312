import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/**
 * `creating`: its folder is in the making, and nobody sees it. `live`: it is there. `deleted`: its folder is gone, and its
 * dump waits for somebody who wants it back.
 */
export type SvnRepositoryState = 'creating' | 'live' | 'deleted';

export interface SvnRepositoryTable {
  id: Generated<number>;
  project_id: number;
  name: string;
  /** The name in lower case: names are unique in a project without regard to letter case. */
  name_key: string;
  state: SvnRepositoryState;
  is_reference_mandatory: Flag;
  is_message_change_allowed: Flag;
  /** One path a line. */
  immutable_paths: string;
  immutable_whitelist: string;
  has_default_permissions: Flag;
  /** The current version of the access file; 0: none was saved. */
  access_version: number;
  /** Whether Subversion rejects the current version, so that only members get in, to read. */
  has_faulty_access: Flag;
  /** In front of the subject of every mail about a commit. */
  subject_header: string;
  last_commit_at: number | null;
  /** Every commit up to this revision was written down, or is to leave no trace; null: nobody has looked yet. */
  recorded_revision: number | null;
  /** When it will be deleted, once somebody asked for it. */
  deletion_due_at: number | null;
  deletion_task_id: number | null;
  deleted_at: number | null;
  /** The name of the file that has its dump, while it is deleted. */
  dump_file: string | null;
  created_by: number;
  created_at: number;
}

/** What a project wrote into the access file of a repository. */
export interface SvnAccessVersionTable {
  repository_id: number;
  /** From 1. */
  version: number;
  content: string;
  created_by: number;
  created_at: number;
}

/** Who hears of commits below a path. */
export interface SvnNotificationTable {
  id: Generated<number>;
  repository_id: number;
  path: string;
  /** Separated by commas. */
  emails: string;
}

export interface SvnNotificationUserTable {
  notification_id: number;
  account_id: number;
}

export interface SvnNotificationGroupTable {
  notification_id: number;
  /** A group that the project defines, or 3 and 4 for its members and administrators. */
  group_id: number;
}

/** Groups whose members administer the repositories of a project. */
export interface SvnAdministratorTable {
  project_id: number;
  group_id: number;
}

/** A revision that somebody committed. */
export interface SvnCommitTable {
  repository_id: number;
  revision: number;
  /** The name under which it was committed. */
  author: string;
  account_id: number;
  message: string;
  /** Some of the changed paths, one a line: enough to tell who may know of the commit. */
  paths: string;
  committed_at: number;
}

/** How often somebody read a repository on a day. */
export interface SvnUseTable {
  repository_id: number;
  /** In the server's zone: 2026-11-16. */
  day: string;
  account_id: number;
  reads: number;
  views: number;
}

export interface SubversionTables {
  svn_repository: SvnRepositoryTable;
  svn_access_version: SvnAccessVersionTable;
  svn_notification: SvnNotificationTable;
  svn_notification_user: SvnNotificationUserTable;
  svn_notification_group: SvnNotificationGroupTable;
  svn_administrator: SvnAdministratorTable;
  svn_commit: SvnCommitTable;
  svn_use: SvnUseTable;
}
