import { ApiError, type LiveEvent, type LiveTopic, readEvents, UnauthorizedError } from '@atelier/client';
import { streamEvents } from '@atelier/client/routes';
import { client, clientId, firstAnswerTime, serverTime, signIns, tellSessionLost } from './client.ts';
import { whenLeading } from './leader.ts';
import { deliver, wantedTopics } from './live.ts';
import { refreshFor } from './live-refresh.ts';
import { personSignal } from './person.ts';

/*
 * One stream of events for all tabs of a browser: the tab that leads has it and passes on what comes. The others say what they show; they
 * follow how far the stream is, so that whoever leads next goes on where it ended.
 */

type Word =
  /** What a tab shows. `since`: it may have missed what happened after that time of the server, because it was not listening for it yet. */
  | {
      readonly kind: 'topics';
      readonly tab: string;
      readonly topics: readonly LiveTopic[];
      readonly since: number | undefined;
    }
  | { readonly kind: 'gone'; readonly tab: string }
  /** A tab leads now and does not know yet what others show. */
  | { readonly kind: 'leading' }
  | { readonly kind: 'heard'; readonly id: string | undefined; readonly event: LiveEvent | undefined };

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('atelier.live');
const say = (word: Word) => channel?.postMessage(word);

/** The server takes no more for one stream. */
const mostTopics = 30;
/** Milliseconds without any sign of life after which a stream is dead. */
const silence = 45_000;
const pauses = { first: 2000, most: 10_000, gathering: 50 };
/** Milliseconds within which a page listens for what it shows after it has read it. */
const reading = 10_000;
/** What a tab remembers to have heard, which may be told again for the sake of another tab. */
const mostHeard = 2000;

/** What other tabs show. */
const ofOthers = new Map<string, readonly LiveTopic[]>();
/** How far the stream is. */
let last: number | undefined;
/** Somebody may have missed what happened after that time, though the stream is further. */
let missedSince: number | undefined;
const heardIds = new Set<string>();
let isLeading = false;
let current: { readonly topics: ReadonlySet<string>; readonly abort: AbortController } | undefined;
let wake: (() => void) | undefined;

function askedTopics(): LiveTopic[] {
  const own: LiveTopic[] = personSignal.get() === undefined ? [] : ['user'];
  const all = new Set([...own, ...wantedTopics.get(), ...[...ofOthers.values()].flat()]);
  return [...all].slice(0, mostTopics);
}

/** Does what an event asks for, in this tab. */
function take(event: LiveEvent): void {
  if ('client' in event && event.client === clientId) return;
  if (event.event === 'signed_out') return tellSessionLost();
  refreshFor(event);
  deliver(event);
}

function hear(id: string | undefined, event: LiveEvent | undefined): void {
  if (id !== undefined) {
    if (heardIds.has(id)) return;
    for (const oldest of heardIds) if (heardIds.size >= mostHeard) heardIds.delete(oldest);
    heardIds.add(id);
    last = Math.max(last ?? 0, Number(id));
  }
  if (event !== undefined) take(event);
}

/** Where the next stream goes on so that nobody misses anything. */
function placeToGoOn(): { readonly since: number } | { readonly after: number } {
  if (last === undefined)
    return { since: Math.min(missedSince ?? Number.POSITIVE_INFINITY, firstAnswerTime()) };
  return missedSince === undefined || missedSince > last ? { after: last } : { since: missedSince };
}

const pause = (milliseconds: number) =>
  new Promise<void>((go) => {
    const timer = setTimeout(go, milliseconds);
    wake = () => {
      clearTimeout(timer);
      go();
    };
  });

/** Reads the stream until it ends; tells whether it began. */
async function readOn(topics: readonly LiveTopic[], abort: AbortController): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lives = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), silence);
  };
  let hasBegun = false;
  lives();
  try {
    const asked = missedSince;
    const query = { topics: [...topics], ...placeToGoOn() };
    const response = await client.download(streamEvents, { query, signal: abort.signal });
    for await (const { id, event } of readEvents(response)) {
      if (!hasBegun && missedSince === asked) missedSince = undefined;
      hasBegun = true;
      lives();
      hear(id, event);
      say({ kind: 'heard', id, event });
    }
  } finally {
    clearTimeout(timer);
  }
  return hasBegun;
}

/** Whether it makes no sense to ask again before something here is another: nobody is signed in, or nothing may be heard. */
const isHopeless = (error: unknown) =>
  error instanceof UnauthorizedError ||
  (error instanceof ApiError && (error.status === 403 || error.status === 404));

/** Has the stream for as long as this tab leads. */
async function keepStream(): Promise<void> {
  let wait = pauses.first;
  while (isLeading) {
    const topics = askedTopics();
    const abort = new AbortController();
    current = { topics: new Set(topics), abort };
    let isOver = topics.length === 0;
    try {
      if (topics.length > 0 && (await readOn(topics, abort))) wait = pauses.first;
    } catch (error) {
      isOver = isHopeless(error);
    }
    // Another stream is wanted: at once.
    if (abort.signal.reason === 'other topics') continue;
    current = undefined;
    await pause(isOver ? 3_600_000 : wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, pauses.most);
  }
}

let gathering: ReturnType<typeof setTimeout> | undefined;

/** What is shown has changed: a stream that does not have all of it is opened anew, from where nobody has missed anything. */
function lookAtTopics(since: number | undefined): void {
  if (since !== undefined) missedSince = Math.min(missedSince ?? since, since);
  clearTimeout(gathering);
  gathering = setTimeout(() => {
    if (!isLeading) return;
    if (current === undefined) return wake?.();
    const isWider = askedTopics().some((topic) => !current?.topics.has(topic));
    if (isWider || missedSince !== undefined) current.abort.abort('other topics');
  }, pauses.gathering);
}

function hearTab({ data }: MessageEvent<Word>): void {
  if (data.kind === 'heard') return hear(data.id, data.event);
  if (data.kind === 'leading') return sayTopics(undefined);
  if (data.kind === 'gone') ofOthers.delete(data.tab);
  else ofOthers.set(data.tab, data.topics);
  lookAtTopics(data.kind === 'topics' ? data.since : undefined);
}

const sayTopics = (since: number | undefined) =>
  say({ kind: 'topics', tab: clientId, topics: wantedTopics.get(), since });

let told: ReadonlySet<LiveTopic> = new Set();

/** What this tab shows is another. Of what it did not show before it may have read an older state. */
function tellTopics(): void {
  isToTell = false;
  const topics = wantedTopics.get();
  const isKnown = topics.every((topic) => told.has(topic));
  const since = isKnown ? undefined : Math.max(firstAnswerTime(), serverTime() - reading);
  told = new Set(topics);
  sayTopics(since);
  lookAtTopics(since);
}

let isToTell = false;

/** A page that goes lets go of what the next one shows as well: told when both have happened, it is no change. */
function tellTopicsSoon(): void {
  if (isToTell) return;
  isToTell = true;
  setTimeout(tellTopics);
}

function lead(): void {
  isLeading = true;
  ofOthers.clear();
  // It was another tab's to see to.
  missedSince = undefined;
  say({ kind: 'leading' });
  // The others answer within this turn of theirs.
  setTimeout(() => void keepStream(), pauses.gathering);
}

/** Begins to listen. */
export function startLive(): void {
  if (channel !== undefined) channel.onmessage = hearTab;
  wantedTopics.subscribe(tellTopicsSoon);
  personSignal.subscribe(() => {
    // What somebody else heard is nothing to go on from, and who signs in again waits for nothing.
    current?.abort.abort('other topics');
    wake?.();
  });
  signIns.subscribe(() => wake?.());
  window.addEventListener('online', () => wake?.());
  window.addEventListener('pagehide', () => say({ kind: 'gone', tab: clientId }));
  // What this page read before it began to listen may be older than what other tabs have heard.
  told = new Set(wantedTopics.get());
  sayTopics(firstAnswerTime());
  whenLeading('atelier.live', lead);
}
