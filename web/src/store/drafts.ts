import { useCallback, useEffect, useRef, useState } from 'react';
import { newUuid } from '../kernel/uuid.ts';
import { type DeviceDatabase, deviceDatabase, hurry, type KeptDraft, takeHurried } from './device.ts';
import { personSignal } from './person.ts';

const pause = 300;

const draftKey = (thing: string, control: string) => `${thing} ${control}`;

/** Of this tab, since it was loaded. */
const visit = newUuid();

/** Drafts of this visit: a page that is opened again has its text at once. */
const inMemory = new Map<string, KeptDraft>();

/** Drafts whose last key was pressed a moment ago. */
const unwritten = new Map<string, KeptDraft>();

// Who leaves in that moment loses nothing.
if (typeof addEventListener === 'function')
  addEventListener('pagehide', () => {
    const drafts = [...unwritten.values()];
    hurry(personSignal.get(), visit, drafts);
    keep(...drafts).then(
      () => hurry(personSignal.get(), visit, []),
      () => undefined,
    );
  });

/** All of them or none: who may read a comment is not lost where its text is kept. */
async function keep(...drafts: KeptDraft[]): Promise<void> {
  for (const { key } of drafts) unwritten.delete(key);
  const database = await deviceDatabase(personSignal.get());
  const writing = database?.transaction('drafts', 'readwrite');
  for (const draft of drafts) void writing?.store.put(draft);
  // Told that nothing else comes, the browser writes it down although the page is gone.
  writing?.commit();
  await writing?.done;
}

/** The database of whoever is there, with what other visits had no time to write into it. */
async function wholeDatabase(): Promise<DeviceDatabase | undefined> {
  const person = personSignal.get();
  const database = await deviceDatabase(person);
  if (database === undefined) return undefined;
  const hurried = takeHurried(person);
  if (hurried.length === 0) return database;
  const writing = database.transaction('drafts', 'readwrite');
  for (const draft of hurried)
    if (draft.time > ((await writing.store.get(draft.key))?.time ?? 0)) void writing.store.put(draft);
  await writing.done;
  return database;
}

/** A draft that was sent or is not wanted any more. */
interface Done {
  readonly key: string;
  readonly visits: readonly string[];
  readonly time: number;
}

/** Whether a draft is, or became, what was sent; another tab may have written one of its own. */
const isOf = ({ visits, time }: Done, draft: KeptDraft) =>
  draft.time <= time && (draft.visits ?? visits).some((one) => visits.includes(one));

async function remove(key: string, read: KeptDraft | undefined): Promise<void> {
  const sent = inMemory.get(key) ?? read;
  const done: Done = { key, visits: [...(sent?.visits ?? []), visit], time: sent?.time ?? Date.now() };
  inMemory.delete(key);
  unwritten.delete(key);
  const database = await wholeDatabase();
  const removing = database?.transaction('drafts', 'readwrite');
  const kept = await removing?.store.get(key);
  if (kept !== undefined && isOf(done, kept)) await removing?.store.delete(key);
  await removing?.done;
  channel?.postMessage(done);
}

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('atelier.drafts');
channel?.addEventListener('message', ({ data }: MessageEvent<Done>) => {
  const mine = inMemory.get(data.key);
  if (mine === undefined) return;
  // What was written here may have been written over by what is sent now.
  if (!isOf(data, mine)) return void keep(mine);
  inMemory.delete(data.key);
  unwritten.delete(data.key);
});

async function read(key: string): Promise<KeptDraft | undefined> {
  return inMemory.get(key) ?? (await (await wholeDatabase())?.get('drafts', key));
}

/** Controls that are open, told when a draft of theirs comes from elsewhere. */
const openControls = new Map<string, Set<(draft: KeptDraft) => void>>();

/** Gives back what was sent and refused, unless somebody has begun to type something else there. */
export async function giveBack(thing: string, control: string, content: unknown): Promise<void> {
  const key = draftKey(thing, control);
  if ((await read(key)) !== undefined) return;
  const draft: KeptDraft = { key, content, etag: undefined, time: Date.now(), visits: [visit] };
  inMemory.set(key, draft);
  for (const tell of openControls.get(key) ?? []) tell(draft);
  await keep(draft);
}

// What is kept on the device stays there, for whoever typed it.
personSignal.subscribe(() => {
  inMemory.clear();
  unwritten.clear();
});

/** What somebody saw when they began to type. */
export interface DraftBegin {
  readonly etag: string | undefined;
  readonly before: unknown;
}

export interface Draft<Content> {
  /** What was typed before; undefined while nothing was, or before it was looked up. */
  readonly content: Content | undefined;
  /** True once it is known whether there is one. */
  readonly isKnown: boolean;
  /** When it was kept, in milliseconds. */
  readonly keptAt: number | undefined;
  /** What was seen when it was begun, on an earlier visit perhaps; undefined where that is not known. */
  readonly begun: DraftBegin | undefined;
  /** Keeps what is in the control, a moment after the last key. */
  keep(content: Content): void;
  /** It was sent, or is not wanted any more. */
  discard(): void;
}

function begunOf(draft: KeptDraft | undefined): DraftBegin | undefined {
  return draft !== undefined && 'before' in draft ? { etag: draft.etag, before: draft.before } : undefined;
}

/** What somebody typed into a control about a thing (`artifacts/42`, `comment`), kept on this device until it is sent. */
export function useDraft<Content = string>(
  thing: string,
  control: string,
  begin?: DraftBegin,
): Draft<Content> {
  const key = draftKey(thing, control);
  const [found, setFound] = useState<{ readonly key: string; readonly draft: KeptDraft | undefined }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const earlier = useRef<KeptDraft>(undefined);
  useEffect(() => {
    let isWanted = true;
    const nothing = () => undefined;
    void read(key)
      .catch(nothing)
      .then((draft) => {
        if (isWanted) setFound({ key, draft });
      });
    const tell = (draft: KeptDraft) => setFound({ key, draft });
    const listeners = openControls.get(key) ?? new Set();
    openControls.set(key, listeners.add(tell));
    return () => {
      isWanted = false;
      listeners.delete(tell);
    };
  }, [key]);
  const put = useCallback(
    (content: Content) => {
      const before = inMemory.get(key) ?? earlier.current;
      const seen = begunOf(before) ?? begin;
      const visits = [...new Set([...(before?.visits ?? []), visit])];
      const draft: KeptDraft = { etag: undefined, ...seen, key, content, time: Date.now(), visits };
      inMemory.set(key, draft);
      unwritten.set(key, draft);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // A draft that was sent meanwhile is not there any more.
        if (inMemory.get(key) !== draft) return;
        void keep(draft).then(() => {
          // Nor is one that was sent while it was written down.
          if (inMemory.get(key) === draft) setFound({ key, draft });
        });
      }, pause);
    },
    [key, begin],
  );
  const discard = useCallback(() => {
    clearTimeout(timer.current);
    setFound({ key, draft: undefined });
    void remove(key, earlier.current);
  }, [key]);
  const draft = found?.key === key ? found.draft : inMemory.get(key);
  earlier.current = draft;
  return {
    // What was kept under this name was put there by the same control.
    content: draft?.content as Content | undefined,
    isKnown: found?.key === key,
    keptAt: draft?.time,
    begun: begunOf(draft),
    keep: put,
    discard,
  };
}
