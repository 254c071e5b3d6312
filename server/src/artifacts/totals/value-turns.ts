import { type Instant, minute } from '../../kernel/clock.ts';
import type { Reader } from '../../storage/index.ts';
import type { Stored } from '../../trackers/index.ts';
import { findChanges, wholeChanges } from './past-values.ts';

/** What fields of an artifact were from an instant on, in the order of the fields that were asked for. */
export interface ValueTurn {
  readonly at: Instant;
  readonly values: readonly Stored[];
}

/** How an artifact came to its values, oldest first: the first turn is its creation. */
interface Past {
  readonly version: number;
  readonly turns: readonly ValueTurn[];
}

/** The past of artifacts of one tracker in some fields. */
interface KeptPasts {
  readonly of: Map<number, Past>;
  /** Until when changes were looked for. */
  checkedOn: Instant;
}

/** Fields of one tracker. */
export interface TurningFields {
  readonly trackerId: number;
  readonly fieldIds: readonly number[];
}

/** So many pasts are kept at the most; those of larger trackers are read anew each time. */
const mostKept = 300_000;
/** So many artifacts are read at a time. */
const atOnce = 500;
/** Changes are committed at latest so long after the time that is written on them, by whichever process. */
const latestCommit = 5 * minute;

const changedSince = ({ sql }: Reader, trackerId: number, since: Instant) =>
  sql
    .selectFrom('artifact')
    .select(['id', 'version'])
    .where('tracker_id', '=', trackerId)
    .where('modified_on', '>=', since);

const beginnings = ({ sql }: Reader, ids: readonly number[]) =>
  sql.selectFrom('artifact').select(['id', 'version', 'submitted_on']).where('id', 'in', ids);

/**
 * How values became what they are, read out of the history. The past does not change, so it is kept, and only artifacts that
 * were changed since are read again.
 */
export class ValueTurns {
  /** By tracker and fields; what was asked for last comes last. */
  readonly #kept = new Map<string, KeptPasts>();

  /** Goes through the past of these artifacts. `check` is called between parts of long work and may end it. */
  async each(
    reader: Reader,
    fields: TurningFields,
    ids: readonly number[],
    { check, visit }: { check(): void; visit(turns: readonly ValueTurn[]): void },
  ): Promise<void> {
    const kept = await this.#upToDate(reader, fields);
    for (let start = 0; start < ids.length; start += atOnce) {
      const some = ids.slice(start, start + atOnce);
      // As they are now: others who find meanwhile that some of them are old forget those.
      const known = some.map((id) => kept.of.get(id));
      const unknown = some.filter((_, place) => known[place] === undefined);
      if (unknown.length > 0) check();
      const read = unknown.length === 0 ? undefined : await readPasts(reader, fields.fieldIds, unknown);
      for (const [place, id] of some.entries()) {
        const past = known[place] ?? read?.get(id);
        if (past !== undefined) visit(past.turns);
      }
      if (read !== undefined) this.#keep(kept, read);
    }
    check();
  }

  async #upToDate(reader: Reader, { trackerId, fieldIds }: TurningFields): Promise<KeptPasts> {
    const key = `${trackerId}:${fieldIds}`;
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const kept = known ?? { of: new Map<number, Past>(), checkedOn: 0 };
    this.#kept.set(key, kept);
    const now = Date.now();
    if (kept.of.size > 0)
      for (const { id, version } of await reader.all(
        changedSince(reader, trackerId, kept.checkedOn - latestCommit),
      ))
        if (kept.of.get(id)?.version !== version) kept.of.delete(id);
    kept.checkedOn = now;
    return kept;
  }

  /** Keeps what there is room for; what was not asked for lately makes room. */
  #keep(kept: KeptPasts, read: ReadonlyMap<number, Past>): void {
    let size = read.size;
    for (const { of } of this.#kept.values()) size += of.size;
    for (const [key, old] of this.#kept) {
      if (size <= mostKept || old === kept) break;
      size -= old.of.size;
      this.#kept.delete(key);
    }
    if (size > mostKept) return;
    for (const [id, past] of read) kept.of.set(id, past);
  }
}

async function readPasts(
  reader: Reader,
  fieldIds: readonly number[],
  ids: readonly number[],
): Promise<ReadonlyMap<number, Past>> {
  const pasts = new Map<number, { readonly version: number; readonly turns: ValueTurn[] }>();
  for (const { id, version, submitted_on } of await reader.all(beginnings(reader, ids)))
    pasts.set(id, { version, turns: [{ at: submitted_on, values: fieldIds.map(() => null) }] });
  if (fieldIds.length === 0) return pasts;
  for (const row of await reader.all(findChanges(reader, ids, fieldIds))) {
    const turns = pasts.get(row.artifact_id)?.turns;
    const changes = await wholeChanges(reader, row);
    const before = turns?.at(-1);
    if (turns === undefined || before === undefined) continue;
    const values = fieldIds.map((id, place) => {
      const changed = changes[id];
      return changed === undefined ? (before.values[place] ?? null) : changed;
    });
    turns.push({ at: row.submitted_on, values });
  }
  return pasts;
}
