import { useCallback, useEffect, useRef, useState } from 'react';
import { deviceDatabase, type KeptDraft } from './device.ts';
import { personSignal } from './person.ts';

const pause = 300;

const draftKey = (thing: string, control: string) => `${thing} ${control}`;

/** Drafts of this visit: a page that is opened again has its text at once. */
const inMemory = new Map<string, KeptDraft>();

/** Drafts whose last key was pressed a moment ago. */
const unwritten = new Map<string, KeptDraft>();

// Who leaves in that moment loses nothing.
if (typeof addEventListener === 'function')
  addEventListener('pagehide', () => {
    for (const draft of unwritten.values()) void keep(draft);
  });

async function keep(draft: KeptDraft): Promise<void> {
  unwritten.delete(draft.key);
  const database = await deviceDatabase(personSignal.get());
  const writing = database?.transaction('drafts', 'readwrite');
  void writing?.store.put(draft);
  // Told that nothing else comes, the browser writes it down although the page is gone.
  writing?.commit();
  await writing?.done;
}

async function remove(key: string): Promise<void> {
  inMemory.delete(key);
  unwritten.delete(key);
  await (await deviceDatabase(personSignal.get()))?.delete('drafts', key);
}

async function read(key: string): Promise<KeptDraft | undefined> {
  return inMemory.get(key) ?? (await (await deviceDatabase(personSignal.get()))?.get('drafts', key));
}

/** Controls that are open, told when a draft of theirs comes from elsewhere. */
const openControls = new Map<string, Set<(draft: KeptDraft) => void>>();

/** Gives back what was sent and refused, unless somebody has begun to type something else there. */
export async function giveBack(thing: string, control: string, content: unknown): Promise<void> {
  const key = draftKey(thing, control);
  if ((await read(key)) !== undefined) return;
  const draft: KeptDraft = { key, content, etag: undefined, time: Date.now() };
  inMemory.set(key, draft);
  for (const tell of openControls.get(key) ?? []) tell(draft);
  await keep(draft);
}

export function forgetDrafts(): void {
  inMemory.clear();
  unwritten.clear();
}

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
    void read(key).then((draft) => {
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
      const seen = begunOf(inMemory.get(key) ?? earlier.current) ?? begin;
      const draft: KeptDraft = { etag: undefined, ...seen, key, content, time: Date.now() };
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
    void remove(key);
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
