import type { QueryKey } from '@tanstack/react-query';
import { deviceDatabase, forgetDrawings, type KeptAnswer } from './device.ts';
import { queries, whenIdle } from './queries.ts';

/** Written by the build; answers of another contract may have another shape. */
declare const __ATELIER_CONTRACT__: string | undefined;
const contract = typeof __ATELIER_CONTRACT__ === 'string' ? __ATELIER_CONTRACT__ : 'sources';

const megabyte = 1_048_576;
/** Characters that are drawn from at the start, and those of one answer. `upkeep.ts` bounds all. */
const mostRestored = 6 * megabyte;
const mostOfOne = megabyte;

let person: number | undefined;
/** Whether what the device had for this person can be drawn. What cannot is cleared away first: nothing is written before that is known. */
let whatWasKept: Promise<boolean> = Promise.resolve(false);
const changed = new Map<string, QueryKey>();
let isWriting = false;

function keptAnswerOf(key: string, queryKey: QueryKey): KeptAnswer | undefined {
  const state = queries.getQueryState(queryKey);
  if (state?.data === undefined || state.status !== 'success') return undefined;
  const size = JSON.stringify(state.data).length;
  return size > mostOfOne ? undefined : { key, data: state.data, time: state.dataUpdatedAt, size };
}

/** Characters that are written at once, and what one answer counts at least: each takes its time of a frame, and keys are answered between two turns. */
const mostAtOnce = 80_000;
const leastOfOne = mostAtOnce / 8;

async function write(): Promise<void> {
  const owner = person;
  const waiting = [...changed];
  changed.clear();
  await whatWasKept;
  const database = await deviceDatabase(owner);
  while (database !== undefined && person === owner && waiting.length > 0) {
    const transaction = database.transaction('answers', 'readwrite');
    for (let size = 0; size < mostAtOnce; ) {
      const [key, queryKey] = waiting.shift() ?? [];
      if (key === undefined || queryKey === undefined) break;
      const answer = keptAnswerOf(key, queryKey);
      size += Math.max(leastOfOne, answer?.size ?? 0);
      if (answer !== undefined) void transaction.store.put(answer);
    }
    // Whoever leaves in this moment holds up no other page.
    transaction.commit();
    await transaction.done;
    await new Promise<void>(whenIdle);
  }
}

function writeSoon(): void {
  if (isWriting) return;
  isWriting = true;
  setTimeout(() => {
    isWriting = false;
    // What cannot be kept, since the disk is full or the window closes, is asked for again the next time.
    write().catch(() => undefined);
  }, 500);
}

/** Keeps what is read, from now on, for this person. */
export function keepAnswers(): () => void {
  return queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (event.query.meta?.['isKept'] === false) return;
    changed.set(JSON.stringify(event.query.queryKey), event.query.queryKey);
    writeSoon();
  });
}

async function clearOtherContracts(personId: number): Promise<boolean> {
  const database = await deviceDatabase(personId);
  if ((await database?.get('facts', 'contract')) === contract) return true;
  await database?.clear('answers');
  await database?.put('facts', contract, 'contract');
  return false;
}

function begin(personId: number): Promise<boolean> {
  person = personId;
  whatWasKept = clearOtherContracts(personId).catch(() => false);
  return whatWasKept;
}

/** As old as can be: it is drawn at once, and asked for again by whoever looks at it. */
const old = 1;

function show({ key, data }: KeptAnswer): void {
  const queryKey: QueryKey = JSON.parse(key);
  if (queries.getQueryData(queryKey) === undefined) queries.setQueryData(queryKey, data, { updatedAt: old });
}

/** Answers that are read at once from the device: each needs no more than a turn in a queue then. */
const batch = 200;

/** Puts what was read on earlier visits in front, the newest first. */
export async function restoreAnswers(personId: number): Promise<void> {
  const canBeDrawn = await begin(personId);
  const database = await deviceDatabase(personId);
  if (database === undefined || !canBeDrawn) return;
  const { store } = database.transaction('answers');
  const newest = (await store.index('time').getAllKeys()).reverse();
  let size = 0;
  for (let at = 0; at < newest.length && size <= mostRestored; at += batch) {
    const answers = await Promise.all(newest.slice(at, at + batch).map((key) => store.get(key)));
    // Somebody else may be there by now.
    if (person !== personId) return;
    for (const answer of answers) {
      size += answer?.size ?? 0;
      if (answer !== undefined && size <= mostRestored) show(answer);
    }
  }
}

/** Answers belong to this person from now on. */
export async function keepAnswersOf(personId: number | undefined): Promise<void> {
  if (person === personId) return;
  person = personId;
  if (personId !== undefined) await begin(personId);
}

export async function forgetAnswers(personId: number): Promise<void> {
  changed.clear();
  forgetDrawings();
  await (await deviceDatabase(personId))?.clear('answers');
}
