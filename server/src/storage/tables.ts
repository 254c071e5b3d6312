import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';
import type { AdministrationTables } from './tables-administration.ts';
import type { ArchiveTables } from './tables-archives.ts';
import type { DeletionTables } from './tables-deletion.ts';
import type { FileTables } from './tables-files.ts';
import type { NotifyTables } from './tables-notify.ts';
import type { ReportTables } from './tables-reports.ts';
import type { SearchTables } from './tables-search.ts';
import type { SubversionTables } from './tables-subversion.ts';
import type { TrackerTables } from './tables-trackers.ts';
import type { WidgetTables } from './tables-widgets.ts';
import type { WorkflowTables } from './tables-workflow.ts';

export type { Flag } from './column-types.ts';

export interface MigrationTable {
  id: number;
  name: string;
  applied_at: number;
}

export interface RevisionTable {
  name: string;
  value: number;
}

export interface SettingTable {
  name: string;
  value: string;
}

export interface AccountTable {
  id: Generated<number>;
  name: string;
  /** The name in lower case: names are unique without regard to letter case. */
  name_key: string;
  real_name: string;
  email: string;
  ldap_id: string | null;
  status: string;
  password_hash: string | null;
  password_set_at: number | null;
  /** Folded name and real name, for the free-text search. */
  search_text: string;
  created_at: number;
  last_access_at: number | null;
  /** Of the picture that the person uploaded. */
  avatar_hash: Generated<string | null>;
}

/** Pictures that people uploaded of themselves: PNG, small, written by us. */
export interface AvatarTable {
  account_id: number;
  picture: Uint8Array;
}

export interface PreferenceTable {
  account_id: number;
  name: string;
  value: string;
}

export interface SshKeyTable {
  id: Generated<number>;
  account_id: number;
  key: string;
}

export interface AccessKeyTable {
  id: Generated<number>;
  account_id: number;
  secret_hash: string;
  description: string;
  /** Scope identifiers, separated by a space. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  last_used_by: string | null;
}

export interface TokenTable {
  hash: string;
  account_id: number;
  created_at: number;
}

export interface SessionTable {
  id: Generated<number>;
  hash: string;
  account_id: number;
  created_at: number;
  expires_at: number;
  address: string;
  agent: string;
}

/** What lets somebody choose the password of an account, once. */
export interface PasswordTokenTable {
  hash: string;
  account_id: number;
  /** Whether somebody lost the password, or an administrator handed a link on. */
  purpose: 'reset' | 'link';
  requested_at: number;
  expires_at: number;
}

export interface LoginAttemptTable {
  /** `account:<name>` or `address:<ip>`; `reset:<login>` and `reset-address:<ip>` for links to lost passwords. */
  subject: string;
  failures: number;
  /** When the failures are forgotten. */
  expires_at: number;
}

export interface PlatformGroupTable {
  id: Generated<number>;
  name: string;
  name_key: string;
}

export interface PlatformGroupMemberTable {
  group_id: number;
  account_id: number;
}

export interface PlatformGroupPermissionTable {
  group_id: number;
  permission: number;
}

export interface VisitTable {
  account_id: number;
  kind: string;
  item_id: number;
  visited_at: number;
}

export interface FavoriteTable {
  account_id: number;
  kind: string;
  item_id: number;
  position: number;
  unseen_since: number | null;
}

/** A write that may be sent once more by whoever lost its answer. */
export interface RequestKeyTable {
  account_id: number;
  key: string;
  /** Of the request: another one with the same key is refused. */
  digest: string;
  /** JSON: what came of it. */
  outcome: string | null;
  made_at: number;
}

export interface SystemEventTable {
  id: Generated<number>;
  type: string;
  status: string;
  owner: string;
  log: string | null;
  created_at: number;
}

/** What administrators of the platform look up later. */
export interface PlatformEventTable {
  id: Generated<number>;
  happened_at: number;
  /** 0: nobody who is known, or the platform itself. */
  account_id: number;
  kind: string;
  subject: string;
  address: string;
  /** JSON object with before and after. */
  details: string | null;
}

export interface JobTable {
  name: string;
  /** The earliest moment at which the job may be claimed again, once it is settled. */
  due_at: number;
  /** Who works on it. */
  holder: string | null;
  /** When whoever works on it is believed to be dead, if nothing was heard of them. */
  held_until: number;
}

export interface ProjectTable {
  id: Generated<number>;
  label: string;
  shortname: string;
  shortname_key: string;
  description: string;
  /** `importing` while an archive is read into it, `purging` while it is removed for good: nobody sees it then. */
  status: 'active' | 'pending' | 'suspended' | 'deleted' | 'system' | 'importing' | 'purging';
  access: 'public' | 'unrestricted' | 'private' | 'private-wo-restr';
  icon: string;
  is_template: Flag;
  /** Values of the platform's project fields: a JSON object keyed by field id. */
  field_values: string;
  has_synchronised_membership: Flag;
  /** Mails tell nothing but where to look. */
  has_truncated_mails: Generated<Flag>;
  banner: string | null;
  header_background: string | null;
  created_at: number;
  /** The rest only while it is deleted. By whom: 0 for the command line. */
  deleted_at: Generated<number | null>;
  deleted_by: Generated<number | null>;
  /** Its status before. */
  deleted_from: Generated<string | null>;
  /** When nothing of it will be left; null: when somebody asks for it. */
  purge_due_at: Generated<number | null>;
}

export interface ProjectMemberTable {
  project_id: number;
  account_id: number;
  is_admin: Flag;
  /** Kept from imported archives; gives no right. */
  is_wiki_admin: Generated<Flag>;
}

export interface UserGroupTable {
  id: Generated<number>;
  project_id: number;
  name: string;
  name_key: string;
  description: string;
}

export interface UserGroupMemberTable {
  group_id: number;
  account_id: number;
}

export interface MembershipDelegationTable {
  project_id: number;
  group_id: number;
}

export interface ServiceTable {
  id: Generated<number>;
  project_id: number;
  name: string;
  label: string;
  description: string;
  url: string;
  icon: string;
  rank: number;
  is_enabled: Flag;
  is_custom: Flag;
  opens_in_new_tab: Flag;
}

export interface ProjectFieldTable {
  id: Generated<number>;
  name: string;
  description: string;
  type: 'text' | 'line';
  rank: number;
  is_required: Flag;
}

export interface LabelTable {
  id: Generated<number>;
  project_id: number;
  label: string;
  label_key: string;
  is_outline: Flag;
  color: string;
}

export interface Tables
  extends TrackerTables,
    FileTables,
    WorkflowTables,
    AdministrationTables,
    ArchiveTables,
    DeletionTables,
    SearchTables,
    SubversionTables,
    NotifyTables,
    ReportTables,
    WidgetTables {
  migration: MigrationTable;
  revision: RevisionTable;
  setting: SettingTable;
  account: AccountTable;
  avatar: AvatarTable;
  preference: PreferenceTable;
  ssh_key: SshKeyTable;
  access_key: AccessKeyTable;
  token: TokenTable;
  session: SessionTable;
  password_token: PasswordTokenTable;
  login_attempt: LoginAttemptTable;
  platform_group: PlatformGroupTable;
  platform_group_member: PlatformGroupMemberTable;
  platform_group_permission: PlatformGroupPermissionTable;
  visit: VisitTable;
  favorite: FavoriteTable;
  request_key: RequestKeyTable;
  system_event: SystemEventTable;
  platform_event: PlatformEventTable;
  job: JobTable;
  project: ProjectTable;
  project_member: ProjectMemberTable;
  user_group: UserGroupTable;
  user_group_member: UserGroupMemberTable;
  membership_delegation: MembershipDelegationTable;
  service: ServiceTable;
  project_field: ProjectFieldTable;
  label: LabelTable;
}
