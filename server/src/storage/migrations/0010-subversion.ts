import type { Migration } from './migration.ts';

/** Subversion repositories, who administers and follows them, their access files and what was committed. */
export const subversion: Migration = {
  id: 10,
  name: 'subversion',
  statements: ({ columns: { identity, integer, text }, tableOptions }) => {
    const table = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${tableOptions}`;
    const repository = `${integer} not null references svn_repository (id) on delete cascade`;
    const notification = `${integer} not null references svn_notification (id) on delete cascade`;
    return [
      table(
        'svn_repository',
        `id ${identity}`,
        `project_id ${integer} not null references project (id)`,
        `name ${text} not null`,
        `name_key ${text} not null`,
        `state ${text} not null`,
        `is_reference_mandatory ${integer} not null`,
        `is_message_change_allowed ${integer} not null`,
        `immutable_paths ${text} not null`,
        `immutable_whitelist ${text} not null`,
        `has_default_permissions ${integer} not null`,
        `access_version ${integer} not null`,
        `has_faulty_access ${integer} not null`,
        `subject_header ${text} not null`,
        `last_commit_at ${integer}`,
        `deletion_due_at ${integer}`,
        `deletion_task_id ${integer}`,
        `deleted_at ${integer}`,
        `dump_file ${text}`,
        `created_by ${integer} not null`,
        `created_at ${integer} not null`,
        'unique (project_id, name_key)',
      ),
      'create index svn_repository_by_deletion on svn_repository (deletion_due_at)',
      table(
        'svn_access_version',
        `repository_id ${repository}`,
        `version ${integer} not null`,
        `content ${text} not null`,
        `created_by ${integer} not null`,
        `created_at ${integer} not null`,
        'primary key (repository_id, version)',
      ),
      table(
        'svn_notification',
        `id ${identity}`,
        `repository_id ${repository}`,
        `path ${text} not null`,
        `emails ${text} not null`,
      ),
      'create index svn_notification_by_repository on svn_notification (repository_id)',
      table(
        'svn_notification_user',
        `notification_id ${notification}`,
        `account_id ${integer} not null references account (id)`,
        'primary key (notification_id, account_id)',
      ),
      'create index svn_notification_user_by_account on svn_notification_user (account_id)',
      table(
        'svn_notification_group',
        `notification_id ${notification}`,
        `group_id ${integer} not null`,
        'primary key (notification_id, group_id)',
      ),
      'create index svn_notification_group_by_group on svn_notification_group (group_id)',
      table(
        'svn_administrator',
        `project_id ${integer} not null references project (id) on delete cascade`,
        `group_id ${integer} not null`,
        'primary key (project_id, group_id)',
      ),
      table(
        'svn_commit',
        `repository_id ${repository}`,
        `revision ${integer} not null`,
        `author ${text} not null`,
        `account_id ${integer} not null`,
        `message ${text} not null`,
        `paths ${text} not null`,
        `committed_at ${integer} not null`,
        'primary key (repository_id, revision)',
      ),
    ];
  },
};
