import { type SqlBool, sql } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { blockSize, IdSet } from '../id-set.ts';
import { partLength } from '../limits.ts';
import { askWords, type ToldByWords } from '../postings/index.ts';
import { commentGroups, isReadable } from '../predicates.ts';
import type { SearchRun, TextLeaf } from '../search-index.ts';
import { all, type SqlPiece } from '../sql.ts';

/** Trigrams that one search asks for: enough to leave little to look at. */
const mostParts = 4;
/** Blocks of ids between two looks at the clock. */
const blocksAtOnce = 4;
const changesetsAtOnce = 200_000;

/** What the index of parts is asked for a text; undefined for one that is too short for it. */
export function partsQuery(part: string): string | undefined {
  const letters = [...part];
  const count = letters.length - partLength + 1;
  if (count < 1) return undefined;
  const step = Math.max(1, count / mostParts);
  const starts = Array.from({ length: Math.min(count, mostParts) }, (_, index) => Math.floor(index * step));
  const parts = starts.map((start) => letters.slice(start, start + partLength).join(''));
  return [...new Set(parts)].map((three) => `"${three.replaceAll('"', '""')}"`).join(' AND ');
}

async function listOf({ readContext, clock }: SearchRun, query: SqlPiece): Promise<string> {
  clock.check();
  const [row] = await all<{ ids: string | null }>(readContext.reader, query);
  return row?.ids ?? '';
}

const setOf = (...lists: readonly string[]) => {
  const set = new IdSet();
  for (const list of lists) set.addList(list);
  return set;
};

interface Parts {
  readonly query: string;
  /** The field; 0 for comments. */
  readonly fieldId: number;
}

/**
 * True for the texts of a field in the index of parts. The numbers are written out: those that are bound come as floating ones, which it does
 * not take for places where it may begin and end, so that it would go through the texts of all fields.
 */
export const isPartOf = (fieldId: number) =>
  sql<SqlBool>`rowid >= ${sql.lit(textId(fieldId, 0))} and rowid < ${sql.lit(textId(fieldId + 1, 0))}`;

/** Rows that may have the parts in them; undefined when they are too many to be looked at one by one. */
async function candidates(
  searchRun: SearchRun,
  { query, fieldId }: Parts,
  most = searchRun.limits.candidates,
): Promise<string | undefined> {
  const { pendingTexts } = searchRun.limits;
  const [from, to] = [textId(fieldId, 0), textId(fieldId + 1, 0)];
  const pending = sql`select 1 from text_pending where id >= ${from} and id < ${to} limit ${pendingTexts + 1}`;
  const [waiting] = await all<{ count: number }>(
    searchRun.readContext.reader,
    sql`select count(*) as count from (${pending})`,
  );
  if ((waiting?.count ?? 0) > pendingTexts) return undefined;
  const found = sql`select rowid - ${from} as id from text_part
    where text_part match ${query} and ${isPartOf(fieldId)} limit ${most + 1}`;
  const [row] = await all<{ ids: string | null; count: number }>(
    searchRun.readContext.reader,
    sql`select group_concat(id) as ids, count(*) as count from (${found})`,
  );
  return (row?.count ?? 0) > most ? undefined : (row?.ids ?? '');
}

const ofCandidates = (list: string) => sql`json_each(${`[${list}]`}) as candidate`;

/** Looks at the texts of some artifacts. */
function amongThese(searchRun: SearchRun, list: string, { fieldId, part }: TextLeaf): Promise<string> {
  return listOf(
    searchRun,
    sql`select group_concat(artifact_id) as ids from ${ofCandidates(list)}
      cross join artifact_text on field_id = ${fieldId} and artifact_id = candidate.value
      where instr(text, ${part}) > 0`,
  );
}

function amongPending(searchRun: SearchRun, { fieldId, part }: TextLeaf): Promise<string> {
  const [from, to] = [textId(fieldId, 0), textId(fieldId + 1, 0)];
  return listOf(
    searchRun,
    sql`select group_concat(artifact_id) as ids from text_pending
      cross join artifact_text on field_id = ${fieldId} and artifact_id = text_pending.id - ${from}
      where text_pending.id >= ${from} and text_pending.id < ${to} and instr(text, ${part}) > 0`,
  );
}

/** Looking at very many texts, `glob` takes two thirds of the time of `instr`. */
const globOf = (part: string) => `*${part.replace(/[*?[]/g, '[$&]')}*`;

/** Looks at all texts. Where most have the part, those that have not are told: telling an artifact costs as much as looking. */
async function scan(
  searchRun: SearchRun,
  { fieldId, part }: TextLeaf,
  within: IdSet,
  filled: () => Promise<IdSet>,
): Promise<IdSet> {
  const [hits, misses] = [new IdSet(), new IdSet()];
  const pattern = globOf(part);
  const inverted: [from: number, to: number][] = [];
  let isFrequent = false;
  for (const [first, last] of stretches(within)) {
    const [from, to] = [first * blockSize, (last + 1) * blockSize];
    const test = isFrequent ? sql`text not glob ${pattern}` : sql`text glob ${pattern}`;
    const list = await listOf(
      searchRun,
      sql`select group_concat(artifact_id) as ids from artifact_text
        where field_id = ${fieldId} and artifact_id >= ${from} and artifact_id < ${to} and ${test}`,
    );
    const told: IdSet = isFrequent ? misses : hits;
    const before = told.size;
    told.addList(list);
    if (isFrequent) inverted.push([first, last]);
    const isMost: boolean = told.size - before > sizeIn(within, first, last) / 2;
    isFrequent = isFrequent ? !isMost : isMost;
  }
  if (inverted.length === 0) return hits;
  const all = (await filled()).minus(misses);
  for (const [first, last] of inverted)
    for (let block = first; block <= last; block++) {
      const own = all.blocks.get(block);
      if (own !== undefined) hits.blocks.set(block, own);
    }
  return hits;
}

function sizeIn(set: IdSet, first: number, last: number): number {
  const some = new IdSet();
  for (let block = first; block <= last; block++) {
    const own = set.blocks.get(block);
    if (own !== undefined) some.blocks.set(block, own);
  }
  return some.size;
}

/** Runs of blocks in which there is something, each short. */
function stretches(within: IdSet): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const block of [...within.blocks.keys()].sort((left, right) => left - right)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === block - 1 && block - run[0] < blocksAtOnce) run[1] = block;
    else runs.push([block, block]);
  }
  return runs;
}

/** Artifacts whose field has the part in its text; maybe more than those within. */
export async function findContaining(
  searchRun: SearchRun,
  leaf: TextLeaf,
  within: IdSet,
  filled: () => Promise<IdSet>,
): Promise<IdSet> {
  if (within.size <= searchRun.limits.few)
    return setOf(await amongThese(searchRun, within.all().join(','), leaf));
  const query = partsQuery(leaf.part);
  const parts = query && { query, fieldId: leaf.fieldId };
  const { few, candidates: most } = searchRun.limits;
  const ofCandidates = async (found: string) =>
    setOf(await amongThese(searchRun, found, leaf), await amongPending(searchRun, leaf));
  const rare = parts && (await candidates(searchRun, parts, Math.min(few, most)));
  if (rare !== undefined) return ofCandidates(rare);
  const told = await askWords(searchRun, leaf, within);
  if (told !== undefined) return completed(searchRun, leaf, told, filled);
  const found = parts && (await candidates(searchRun, parts));
  return found === undefined ? scan(searchRun, leaf, within, filled) : ofCandidates(found);
}

/** Adds what words do not tell. */
async function completed(
  searchRun: SearchRun,
  leaf: TextLeaf,
  { found, waiting, untold }: ToldByWords,
  filled: () => Promise<IdSet>,
): Promise<IdSet> {
  if (!waiting.isEmpty) found.addAll(setOf(await amongThese(searchRun, waiting.all().join(','), leaf)));
  if (!untold.isEmpty) found.addAll(await scan(searchRun, leaf, untold, filled));
  return found;
}

/** Artifacts with a comment that the viewer may read and that has the part in its text; of all trackers, so that the next one need not ask. */
export async function findCommented(searchRun: SearchRun, part: string): Promise<IdSet> {
  const key = JSON.stringify([part, commentGroups(searchRun.scope.view)]);
  const known = searchRun.known.get(key);
  if (known !== undefined) return known;
  const found = await lookInComments(searchRun, part);
  searchRun.known.set(key, found);
  return found;
}

async function lookInComments(searchRun: SearchRun, part: string): Promise<IdSet> {
  const query = partsQuery(part);
  const found = query && (await candidates(searchRun, { query, fieldId: 0 }));
  const suits = sql`instr(text, ${part}) > 0 and ${isReadable(searchRun.scope.view)}`;
  if (found === undefined) return scanComments(searchRun, suits);
  const ofThese = sql`select group_concat(artifact_id) as ids from ${ofCandidates(found)}
    cross join comment_text on changeset_id = candidate.value where ${suits}`;
  const ofPending = sql`select group_concat(artifact_id) as ids from text_pending
    cross join comment_text on changeset_id = text_pending.id where text_pending.id < ${textId(1, 0)} and ${suits}`;
  return setOf(await listOf(searchRun, ofThese), await listOf(searchRun, ofPending));
}

async function scanComments(searchRun: SearchRun, suits: SqlPiece): Promise<IdSet> {
  const [row] = await all<{ last: number | null }>(
    searchRun.readContext.reader,
    sql`select max(changeset_id) as last from comment_text`,
  );
  const lists: string[] = [];
  for (let from = 0; from <= (row?.last ?? -1); from += changesetsAtOnce) {
    const some = sql`changeset_id >= ${from} and changeset_id < ${from + changesetsAtOnce}`;
    const query = sql`select group_concat(artifact_id) as ids from comment_text where ${some} and ${suits}`;
    lists.push(await listOf(searchRun, query));
  }
  return setOf(...lists);
}
