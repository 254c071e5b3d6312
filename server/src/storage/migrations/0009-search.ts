import type { Migration } from './migration.ts';

/** What artifacts are found by. */
export const search: Migration = {
  id: 9,
  name: 'search',
  statements: ({ columns: { integer, real, text, bytes }, keyedTableOptions, indexTextParts }) => {
    const keyed = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${keyedTableOptions}`;
    return [
      keyed(
        'artifact_measure',
        `field_id ${integer} not null`,
        `value ${real} not null`,
        `artifact_id ${integer} not null`,
        'primary key (field_id, value, artifact_id)',
      ),
      keyed(
        'artifact_text',
        `field_id ${integer} not null`,
        `artifact_id ${integer} not null`,
        `text ${text} not null`,
        'primary key (field_id, artifact_id)',
      ),
      keyed(
        'comment_text',
        `changeset_id ${integer} primary key`,
        `artifact_id ${integer} not null`,
        `text ${text} not null`,
        `readers ${text}`,
      ),
      'create index comment_text_by_artifact on comment_text (artifact_id)',
      'create index comment_text_private on comment_text (artifact_id) where readers is not null',
      'create index artifact_by_number on artifact (tracker_id, number)',
      'create index artifact_by_submission on artifact (tracker_id, submitted_on)',
      'create index artifact_by_change on artifact (tracker_id, modified_on)',
      'create index artifact_grant_by_group on artifact_grant (group_id, artifact_id)',

      keyed(
        'posting',
        `key ${text} not null`,
        `block ${integer} not null`,
        `ids ${bytes} not null`,
        'primary key (key, block)',
      ),
      'create index posting_by_block on posting (block)',
      keyed('search_pending', `artifact_id ${integer} primary key`, `ticket ${integer} not null`),
      keyed('text_pending', `id ${integer} primary key`),
      ...indexTextParts('text_part', ['artifact_text', 'comment_text']),
      // Whoever folds says which state it began with, so that no two undo what the other did.
      `insert into revision (name, value) values ('postings', 0)`,

      keyed('search_backlog', `field_id ${integer} primary key`, `after_id ${integer} not null`),
      'insert into search_backlog (field_id, after_id) select 0, 0 from artifact limit 1',
    ];
  },
};
