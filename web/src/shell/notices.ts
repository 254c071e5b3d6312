import { useSyncExternalStore } from 'react';
import { createSignal, wordsOfError } from '../store/index.ts';

export interface NoticeWish {
  /** One sentence. */
  readonly text: string;
  /** `bad` stays until it is closed. */
  readonly kind?: 'plain' | 'bad' | undefined;
  /** It stands elsewhere on the page: here it is only kept among what was done. */
  readonly isQuiet?: boolean | undefined;
  /** The change that it tells of: what does not come to be is not told any longer. */
  readonly change?: string | undefined;
  /** Takes back what the notice tells. */
  readonly undo?: (() => void) | undefined;
  /** Something else to be done about it: *Edit again*, *Open*. */
  readonly action?: { readonly name: string; run(): void } | undefined;
}

export interface Notice extends NoticeWish {
  readonly id: number;
  readonly time: number;
}

const shown = createSignal<readonly Notice[]>([]);
/** What was told lately, also after it went. */
const recent = createSignal<readonly Notice[]>([]);
const said = createSignal('');
let nextId = 1;
const mostShown = 3;
const mostRecent = 30;

/** Tells what happened, at the edge of the page. */
export function notify(wish: NoticeWish): number {
  const notice: Notice = { ...wish, id: nextId++, time: Date.now() };
  const [last] = recent.get();
  if (wish.isQuiet !== true) shown.set([...shown.get(), notice].slice(-mostShown));
  recent.set([notice, ...recent.get()].slice(0, mostRecent));
  // What was told a moment ago nobody has heard to its end.
  announce(last !== undefined && notice.time - last.time < 1000 ? `${said.get()} ${wish.text}` : wish.text);
  return notice.id;
}

/** Tells what went wrong, in the server's words. */
export const tellFault = (error: unknown) => notify({ kind: 'bad', text: wordsOfError(error) });

export function closeNotice(id: number): void {
  shown.set(shown.get().filter((notice) => notice.id !== id));
}

/** A change did not come to be: neither is it told, nor can it be taken back. */
export function withdraw(change: string): void {
  for (const told of [shown, recent]) told.set(told.get().filter((notice) => notice.change !== change));
}

/** Tells it to those who listen rather than look. */
export function announce(text: string): void {
  // The same words twice are told twice.
  said.set(said.get() === text ? `${text}\u00a0` : text);
}

/** Tells which page has come, a moment after it came. What was told of something that was done there meanwhile is not lost by it. */
export function announcePage(): () => void {
  const before = said.get();
  const tell = () => announce(said.get() === before ? document.title : `${document.title}. ${said.get()}`);
  const timer = setTimeout(tell, 300);
  return () => clearTimeout(timer);
}

const lifted = createSignal(false);

/** Lets notices stand above a bar at the lower edge of the page. */
export function liftNotices(): () => void {
  lifted.set(true);
  return () => lifted.set(false);
}

export const useLifted = (): boolean => useSyncExternalStore(lifted.subscribe, lifted.get);

/** Changes that the page itself asks about. */
const aside = createSignal<readonly string[]>([]);

/** Does not show what a change waits for while it stands on the page. */
export function setAside(change: string): () => void {
  aside.set([...aside.get(), change]);
  return () => aside.set(aside.get().filter((one) => one !== change));
}

export function useNotices(): readonly Notice[] {
  const notices = useSyncExternalStore(shown.subscribe, shown.get);
  const hidden = useSyncExternalStore(aside.subscribe, aside.get);
  return notices.filter(({ change = '' }) => !hidden.includes(change));
}
export const useRecentNotices = (): readonly Notice[] => useSyncExternalStore(recent.subscribe, recent.get);
export const useSaid = (): string => useSyncExternalStore(said.subscribe, said.get);

/** Takes back what a notice told. */
export function takeBack(id: number): void {
  const notice = recent.get().find((one) => one.id === id);
  if (notice?.undo === undefined) return;
  recent.set(recent.get().filter((one) => one !== notice));
  closeNotice(id);
  notice.undo();
}

/** The last thing that can be taken back. */
export function undoLast(): void {
  const last = recent.get().find(({ undo }) => undo !== undefined);
  if (last !== undefined) takeBack(last.id);
}
