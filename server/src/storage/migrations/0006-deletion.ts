import type { Migration } from './migration.ts';

/** Deleted artifacts, how many of them each person deleted lately, and what happened in projects. */
export const deletion: Migration = {
  id: 6,
  name: 'deletion',
  statements: ({ columns: { identity, integer, text }, tableOptions, keyedTableOptions, dropReference }) => {
    const table = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${tableOptions}`;
    const keyed = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${keyedTableOptions}`;
    return [
      // A long history goes after its artifact and comes before it, in short transactions.
      ...dropReference('changeset', 'artifact_id', [
        table(
          'changeset_anew',
          `id ${identity}`,
          `artifact_id ${integer} not null`,
          `submitted_by ${integer} not null`,
          `submitted_on ${integer} not null`,
          `changes ${text} not null`,
          `comment ${text}`,
        ),
        `insert into changeset_anew (id, artifact_id, submitted_by, submitted_on, changes, comment)
          select id, artifact_id, submitted_by, submitted_on, changes, comment from changeset`,
        keyed(
          'comment_version_anew',
          `changeset_id ${integer} not null references changeset_anew (id) on delete cascade`,
          `version ${integer} not null`,
          `comment ${text} not null`,
          'primary key (changeset_id, version)',
        ),
        `insert into comment_version_anew (changeset_id, version, comment)
          select changeset_id, version, comment from comment_version`,
        'drop table comment_version',
        'drop table changeset',
        'alter table changeset_anew rename to changeset',
        'alter table comment_version_anew rename to comment_version',
        'create index changeset_by_artifact on changeset (artifact_id, id)',
      ]),

      table(
        'artifact_deletion',
        `id ${identity}`,
        `account_id ${integer} not null`,
        `deleted_at ${integer} not null`,
      ),
      'create index artifact_deletion_by_account on artifact_deletion (account_id, deleted_at)',
      'create index artifact_deletion_by_time on artifact_deletion (deleted_at)',

      keyed(
        'deleted_artifact',
        `artifact_id ${integer} primary key`,
        `tracker_id ${integer} not null references tracker (id)`,
        `title ${text}`,
        `deleted_by ${integer} not null`,
        `deleted_on ${integer} not null`,
        `archive ${text}`,
        `has_remains ${integer} not null`,
        `restorer ${text}`,
        `restorer_until ${integer}`,
      ),
      'create index deleted_artifact_by_time on deleted_artifact (deleted_on, artifact_id)',
      'create index deleted_artifact_by_tracker on deleted_artifact (tracker_id, deleted_on)',
      'create index deleted_artifact_unclean on deleted_artifact (artifact_id) where has_remains = 1',

      table(
        'project_history',
        `id ${identity}`,
        `project_id ${integer} not null references project (id) on delete cascade`,
        `happened_at ${integer} not null`,
        `account_id ${integer} not null`,
        `event ${text} not null`,
        `subject ${text} not null`,
      ),
      'create index project_history_by_project on project_history (project_id, id)',
    ];
  },
};
