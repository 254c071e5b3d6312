import { useSyncExternalStore } from 'react';
import { createSignal } from '../store/index.ts';

/** What somebody wants to create: where, and what is filled in. */
export interface CreationWish {
  /** The uri of a tracker; the one at hand unless given. */
  readonly tracker?: string | undefined;
  /** Project and tracker are asked for first, whatever is at hand. */
  readonly isElsewhere?: boolean | undefined;
  readonly title?: string | undefined;
  /** Is told of each artifact that was created: whoever wanted it may link it. */
  readonly onCreated?: ((id: number) => void) | undefined;
}

/** The dialog lies in a room below this one; it says how it is opened when it is there. */
let opener: ((wish: CreationWish) => void) | undefined;
/** A wish from before the dialog arrived. */
let waiting: CreationWish | undefined;
const isAsked = createSignal(false);

export function provideCreation(open: (wish: CreationWish) => void): () => void {
  opener = open;
  if (waiting !== undefined) open(waiting);
  waiting = undefined;
  return () => {
    opener = undefined;
  };
}

export function openCreation(wish: CreationWish): void {
  if (opener === undefined) waiting = wish;
  else opener(wish);
  isAsked.set(true);
}

/** Whether somebody wanted to create something since the page was opened: until then its dialog need not be there. */
export const useIsCreationAsked = (): boolean => useSyncExternalStore(isAsked.subscribe, isAsked.get);
