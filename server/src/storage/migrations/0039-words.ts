import type { Migration } from './migration.ts';

/** The words of texts, block by block, by which usual ones are found. PostgreSQL keeps none. */
export const words: Migration = {
  id: 39,
  name: 'words',
  statements: ({ columns: { integer, text, bytes }, keyedTableOptions }) => [
    `create table word_block (field_id ${integer} not null, block ${integer} not null, build ${integer} not null, ` +
      `words ${text}, primary key (field_id, block))${keyedTableOptions}`,
    `create table word_posting (field_id ${integer} not null, block ${integer} not null, word ${text} not null, ` +
      `ids ${bytes} not null, primary key (field_id, block, word))${keyedTableOptions}`,
    `create table word_pending (id ${integer} primary key, ticket ${integer} not null)${keyedTableOptions}`,
    `insert into word_pending (id, ticket) select field_id * 4294967296 + artifact_id, 0 from artifact_text
      where exists (select 1 from posting)`,
  ],
};
