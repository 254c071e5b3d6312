import { sql } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { trackerIds, trackersOf } from '../prefilter-queries.ts';
import type { Finding } from '../search-index.ts';
import { all, type SqlPiece } from '../sql.ts';
import { partsQuery } from './text-search.ts';

/** Texts with a part up to which it pays to ask where they are. */
const mostTexts = 100_000;
const mostComments = 20_000;

async function isMore({ readContext }: Finding, rows: SqlPiece, most: number): Promise<boolean> {
  const query = sql`select count(*) as count from (${rows} limit ${most + 1}) as some`;
  const [row] = await all<{ count: number }>(readContext.reader, query);
  return (row?.count ?? 0) > most;
}

/** Written out, as `isPartOf` has it. */
const firstField = sql.lit(textId(1, 0));

/** Trackers whose texts wait to be put into the index of parts; undefined when it is not worth asking. */
async function pendingTrackers(finding: Finding): Promise<Set<number> | undefined> {
  if (await isMore(finding, sql`select 1 from text_pending`, finding.limits.pendingTexts)) return undefined;
  const fields = sql`select id >> 32 from text_pending where id >= ${firstField}`;
  const comments = sql`select artifact_id from comment_text where changeset_id in
    (select id from text_pending where id < ${firstField})`;
  return trackerIds(finding, trackersOf(fields, comments));
}

/** By the index of parts, in which texts are numbered by their fields and comments come before all of them. */
export async function trackersWith(finding: Finding, part: string): Promise<Set<number> | undefined> {
  const query = partsQuery(part);
  if (query === undefined) return undefined;
  const having = sql`text_part where text_part match ${query}`;
  const ofFields = sql`select rowid from ${having} and rowid >= ${firstField}`;
  const ofComments = sql`select rowid from ${having} and rowid < ${firstField}`;
  if (await isMore(finding, ofFields, mostTexts)) return undefined;
  if (await isMore(finding, ofComments, mostComments)) return undefined;
  const fields = sql`select distinct rowid >> 32 from ${having} and rowid >= ${firstField}`;
  const comments = sql`select artifact_id from comment_text where changeset_id in (${ofComments})`;
  const pending = await pendingTrackers(finding);
  return pending && (await trackerIds(finding, trackersOf(fields, comments))).union(pending);
}
