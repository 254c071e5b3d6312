import type { Migration } from './migration.ts';

/** Files on their way to an artifact, and the bytes of all files. */
export const files: Migration = {
  id: 3,
  name: 'files',
  statements: ({ columns: { integer, text }, keyedTableOptions }) => {
    const keyed = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${keyedTableOptions}`;
    const column = (definition: string) => `alter table attachment add column ${definition}`;
    return [
      column(`state ${text} not null default 'attached'`),
      column(`expected_size ${integer}`),
      column(`chunks ${integer} not null default 0`),
      column(`expires_at ${integer}`),
      column(`preview ${text}`),
      column(`lock_token ${text}`),
      column(`lock_until ${integer}`),
      `update attachment set state = 'temporary' where artifact_id is null`,
      'create index attachment_by_submitter on attachment (submitted_by, state)',
      'create index attachment_by_field on attachment (field_id, state, name)',
      'create index attachment_by_expiry on attachment (expires_at) where expires_at is not null',
      // Counts removals of bytes, so that whoever stores some can tell whether they may be gone again.
      `insert into revision (name, value) values ('removals', 0)`,
      keyed(
        'blob',
        `hash ${text} primary key`,
        `size ${integer} not null`,
        `released_at ${integer}`,
        `removing_at ${integer}`,
      ),
      'create index blob_by_release on blob (released_at) where released_at is not null',
      keyed(
        'attachment_piece',
        `attachment_id ${integer} not null references attachment (id)`,
        `is_preview ${integer} not null`,
        `position ${integer} not null`,
        `start ${integer} not null`,
        `size ${integer} not null`,
        `hash ${text} not null references blob (hash)`,
        'primary key (attachment_id, is_preview, position)',
      ),
      'create index attachment_piece_by_hash on attachment_piece (hash)',
    ];
  },
};
