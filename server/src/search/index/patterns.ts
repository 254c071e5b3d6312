import { setImmediate as nextTurn } from 'node:timers/promises';
import { matcherOf } from '../../kernel/patterns.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { sql } from '../../storage/index.ts';
import type { Condition } from '../../trackers/index.ts';
import { endColumns, factColumn, isCounted, type Linked } from './predicates.ts';
import type { SearchRun } from './search-index.ts';
import { all, type SqlPiece } from './sql.ts';

type Patterned = Extract<Condition, { is: 'matching' | 'fact matching' }> | Linked;

/** Rows that are held at once: texts can be long. */
const atOnce = 500;
/** Characters between two looks at the clock. */
const charactersAtOnce = 20_000;

interface Candidate {
  readonly id: number;
  readonly text: string | number;
  /** Two numbers by which the rows have an order. */
  readonly first: number;
  readonly second: number;
}

/** What a pattern is held against: rows in an order that an index has. */
interface Walk {
  readonly from: SqlPiece;
  readonly id: SqlPiece;
  readonly text: SqlPiece;
  readonly order: readonly [SqlPiece, SqlPiece];
}

function walkOver({ scope: { view, viewer } }: SearchRun, condition: Patterned): Walk {
  if (condition.is === 'linked') return overLinks(condition, viewer);
  if (condition.is === 'fact matching') {
    const from = sql`artifact where tracker_id = ${view.tracker.id}`;
    return { from, id: sql`id`, text: factColumn(condition.fact), order: [sql`id`, sql`tracker_id`] };
  }
  const { fieldId } = condition;
  const isNumber = view.tracker.elementById.get(fieldId)?.type.value?.measured !== undefined;
  const own = sql`where field_id = ${fieldId}`;
  const id = sql`artifact_id`;
  return isNumber
    ? { from: sql`artifact_measure ${own}`, id, text: sql`value`, order: [sql`value`, id] }
    : { from: sql`artifact_text ${own}`, id, text: sql`text`, order: [id, sql`field_id`] };
}

/** The ids at the other ends of links. */
function overLinks(linked: Linked, viewer: Viewer): Walk {
  const [ownColumn, farColumn] = endColumns(linked);
  const [own, far] = [sql.ref(ownColumn), sql.ref(farColumn)];
  const counted = sql.join([sql`1 = 1`, ...isCounted(linked, viewer)], sql` and `);
  return { from: sql`artifact_link where ${counted}`, id: own, text: far, order: [own, far] };
}

async function* candidates({ readContext, clock }: SearchRun, walk: Walk): AsyncGenerator<Candidate> {
  const { from, id, text, order } = walk;
  const [first, second] = order;
  let last: Candidate | undefined;
  do {
    clock.check();
    const onwards: SqlPiece =
      last === undefined ? sql`1 = 1` : sql`(${first}, ${second}) > (${last.first}, ${last.second})`;
    const rows: Candidate[] = await all<Candidate>(
      readContext.reader,
      sql`select ${id} as id, ${text} as text, ${first} as first, ${second} as second from ${from} and ${onwards}
        order by ${first}, ${second} limit ${atOnce}`,
    );
    yield* rows;
    last = rows.length < atOnce ? undefined : rows.at(-1);
  } while (last !== undefined);
}

const patternOf = (condition: Patterned) =>
  condition.is === 'linked'
    ? { pattern: condition.end.is === 'id matching' ? condition.end.pattern : '', isNot: false }
    : condition;

/** Looks through all values, as no index knows patterns. May find artifacts of other trackers, too. */
export async function findMatching(searchRun: SearchRun, condition: Patterned): Promise<readonly number[]> {
  const { pattern, isNot } = patternOf(condition);
  const matches = matcherOf(pattern);
  const found = new Set<number>();
  let characters = 0;
  for await (const { id, text } of candidates(searchRun, walkOver(searchRun, condition))) {
    const value = String(text);
    if (matches(value) !== isNot) found.add(id);
    characters += value.length;
    if (characters < charactersAtOnce) continue;
    characters = 0;
    searchRun.clock.check();
    // Where there is no thread for searches, this one answers requests as well.
    await nextTurn();
  }
  return [...found];
}
