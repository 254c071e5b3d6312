import { useSyncExternalStore } from 'react';
import { createSignal } from '../store/index.ts';

/** What lies over the page: one at a time. */
export type Overlay = 'palette' | 'keys' | 'drawer' | 'recent';

const open = createSignal<{ readonly overlay: Overlay; readonly words: string } | undefined>(undefined);

export const useOverlay = () => useSyncExternalStore(open.subscribe, open.get);

export const openPalette = (): void => open.set({ overlay: 'palette', words: '' });
/** With words in it: `>` offers commands only. */
export const openPaletteWith = (words: string): void => open.set({ overlay: 'palette', words });
export const openKeys = (): void => open.set({ overlay: 'keys', words: '' });
export const openRecent = (): void => open.set({ overlay: 'recent', words: '' });
export const openDrawer = (): void => open.set({ overlay: 'drawer', words: '' });
export const closeOverlay = (): void => open.set(undefined);
