import { ApiError, type LiveEvent, type LiveTopic, readEvents, UnauthorizedError } from '@atelier/client';
import { streamEvents } from '@atelier/client/routes';
import { client, clientId, serverTime, signIns, tellSessionLost } from './client.ts';
import { whenLeading } from './leader.ts';
import { deliver, wantedTopics } from './live.ts';
import { refreshFor } from './live-refresh.ts';
import { personSignal } from './person.ts';

/*
 * One stream of events for all tabs of a browser: the tab that leads has it and passes on what comes. The others say what they show; they
 * follow how far the stream is, so that whoever leads next goes on where it ended.
 */

type Word =
  | { readonly kind: 'topics'; readonly tab: string; readonly topics: readonly LiveTopic[] }
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

/** What other tabs show. */
const ofOthers = new Map<string, readonly LiveTopic[]>();
/** How far the stream is. */
let last: string | undefined;
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
  last = id ?? last;
  if (event !== undefined) take(event);
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
    const place = last === undefined ? { since: serverTime() } : { after: Number(last) };
    const query = { topics: [...topics], ...place };
    const response = await client.download(streamEvents, { query, signal: abort.signal });
    for await (const { id, event } of readEvents(response)) {
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

/** What is shown has changed: a stream that does not have all of it is opened anew, from where it is. */
function lookAtTopics(): void {
  clearTimeout(gathering);
  gathering = setTimeout(() => {
    if (!isLeading) return;
    if (current === undefined) wake?.();
    else if (askedTopics().some((topic) => !current?.topics.has(topic))) current.abort.abort('other topics');
  }, pauses.gathering);
}

function hearTab({ data }: MessageEvent<Word>): void {
  if (data.kind === 'heard') return hear(data.id, data.event);
  if (data.kind === 'leading') return say({ kind: 'topics', tab: clientId, topics: wantedTopics.get() });
  if (data.kind === 'gone') ofOthers.delete(data.tab);
  else ofOthers.set(data.tab, data.topics);
  lookAtTopics();
}

function lead(): void {
  isLeading = true;
  ofOthers.clear();
  say({ kind: 'leading' });
  // The others answer within this turn of theirs.
  setTimeout(() => void keepStream(), pauses.gathering);
}

/** Begins to listen. */
export function startLive(): void {
  if (channel !== undefined) channel.onmessage = hearTab;
  wantedTopics.subscribe(() => {
    say({ kind: 'topics', tab: clientId, topics: wantedTopics.get() });
    lookAtTopics();
  });
  personSignal.subscribe(() => {
    // What somebody else heard is nothing to go on from, and who signs in again waits for nothing.
    current?.abort.abort('other topics');
    wake?.();
  });
  signIns.subscribe(() => wake?.());
  window.addEventListener('online', () => wake?.());
  window.addEventListener('pagehide', () => say({ kind: 'gone', tab: clientId }));
  say({ kind: 'topics', tab: clientId, topics: wantedTopics.get() });
  whenLeading('atelier.live', lead);
}
