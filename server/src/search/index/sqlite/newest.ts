import { sql } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import type { Finding, NewestRequest, SearchIndex, TextPlace } from '../search-index.ts';
import { all, hasAll, type SqlPiece } from '../sql.ts';
import { isPartOf, partsQuery } from './text-search.ts';

/** Texts of one place that may have the parts and are looked at. */
const mostCandidates = 400;
/** Texts that wait for the index of parts and are looked at, the newest first. */
const mostPending = 2000;
/** Texts of all places together that are looked at where no part is long enough for the index, and of one at least. */
const mostScanned = 20_000;
const leastScanned = 100;

async function idsIn({ readContext }: Finding, query: SqlPiece): Promise<number[]> {
  return (await all<{ id: number }>(readContext.reader, query)).map(({ id }) => id);
}

function scan(finding: Finding, { fieldId }: TextPlace, { parts, most, places }: NewestRequest) {
  const scanned = Math.max(leastScanned, Math.floor(mostScanned / places));
  return idsIn(
    finding,
    sql`select artifact_id as id from (select artifact_id, text from artifact_text
      where field_id = ${fieldId} order by artifact_id desc limit ${scanned}) where ${hasAll(parts)} limit ${most}`,
  );
}

/** The index of parts tells the newest first; those that it does not have yet are looked at as well. */
export const newest: SearchIndex['newest'] = async (finding, place, input) => {
  const { parts, most } = input;
  const { fieldId } = place;
  const indexed = parts.flatMap((part) => partsQuery(part) ?? []).join(' AND ');
  if (indexed === '') return scan(finding, place, input);
  const [from, to] = [textId(fieldId, 0), textId(fieldId + 1, 0)];
  const candidates = sql`select rowid - ${from} as id from text_part
    where text_part match ${indexed} and ${isPartOf(fieldId)} order by rowid desc limit ${mostCandidates}`;
  const pending = sql`select id - ${from} as id from text_pending
    where id >= ${from} and id < ${to} order by id desc limit ${mostPending}`;
  const found = (some: SqlPiece) => sql`select artifact_id as id from (${some}) as candidate
    cross join artifact_text on field_id = ${fieldId} and artifact_id = candidate.id
    where ${hasAll(parts)} order by artifact_id desc limit ${most}`;
  const ids = [...(await idsIn(finding, found(candidates))), ...(await idsIn(finding, found(pending)))];
  return [...new Set(ids)].sort((left, right) => right - left).slice(0, most);
};
