import { useSyncExternalStore } from 'react';
import { createSignal } from '../store/index.ts';

/** What somebody wants to create: where, and what is filled in. */
export interface CreationWish {
  /** The uri of a tracker; the one at hand unless given. */
  readonly tracker?: string | undefined;
  readonly title?: string | undefined;
}

/** The dialog lies in a room below this one; it says how it is opened when it is there. */
const opener = createSignal<((wish: CreationWish) => void) | undefined>(undefined);

export function provideCreation(open: (wish: CreationWish) => void): () => void {
  opener.set(open);
  return () => opener.set(undefined);
}

export const openCreation = (wish: CreationWish): void => opener.get()?.(wish);

/** Whether something can be created at all. */
export const useCreation = (): boolean => useSyncExternalStore(opener.subscribe, opener.get) !== undefined;
