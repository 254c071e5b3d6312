import { contains, sql } from '../../storage/index.ts';
import type { ReadContext } from '../visibility.ts';
import { type Finding, type SearchOptions, search } from './find.ts';
import { all, type Query } from './sql.ts';
import { partsQuery, textId } from './text-search.ts';

/** Texts with a part up to which it pays to ask where they are. */
const mostTexts = 100_000;
const mostComments = 20_000;

const trackersOf = (fields: Query, artifacts: Query): Query => sql`
  select tracker_id as id from tracker_field where id in (${fields})
  union select tracker_id as id from artifact where id in (${artifacts})`;

async function trackerIds({ readContext, clock }: Finding, query: Query): Promise<Set<number>> {
  clock.check();
  return new Set((await all<{ id: number }>(readContext.reader, query)).map(({ id }) => id));
}

async function isMore({ readContext }: Finding, rows: Query, most: number): Promise<boolean> {
  const query = sql`select count(*) as count from (${rows} limit ${most + 1}) as some`;
  const [row] = await all<{ count: number }>(readContext.reader, query);
  return (row?.count ?? 0) > most;
}

const firstField = textId(1, 0);

/** Trackers whose texts wait to be put into the index of parts; undefined when it is not worth asking. */
async function pendingTrackers(finding: Finding): Promise<Set<number> | undefined> {
  if (await isMore(finding, sql`select 1 from text_pending`, finding.limits.pendingTexts)) return undefined;
  const fields = sql`select id >> 32 from text_pending where id >= ${firstField}`;
  const comments = sql`select artifact_id from comment_text where changeset_id in
    (select id from text_pending where id < ${firstField})`;
  return trackerIds(finding, trackersOf(fields, comments));
}

/** By the index of parts, in which texts are numbered by their fields and comments come before all of them. */
async function byParts(finding: Finding, part: string): Promise<Set<number> | undefined> {
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

async function byRows(finding: Finding, part: string): Promise<Set<number> | undefined> {
  if (partsQuery(part) === undefined) return undefined;
  const fields = sql`select distinct field_id from artifact_text where ${contains('text', part)}`;
  const comments = sql`select artifact_id from comment_text where ${contains('text', part)}`;
  return trackerIds(finding, trackersOf(fields, comments));
}

/** Trackers in which all of the parts may be, anywhere in their texts, comments and files; undefined: any of them. */
export function trackersWith(
  readContext: ReadContext,
  parts: readonly string[],
  options: SearchOptions,
): Promise<ReadonlySet<number> | undefined> {
  return search(readContext, options, async (finding) => {
    const look = finding.readContext.reader.foldsPostings ? byParts : byRows;
    let possible: Set<number> | undefined;
    for (const part of parts) {
      const having = await look(finding, part);
      possible = having === undefined ? possible : (possible?.intersection(having) ?? having);
    }
    return possible;
  });
}
