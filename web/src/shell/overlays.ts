import { useSyncExternalStore } from 'react';
import { createSignal } from '../store/index.ts';

/** What lies over the page: one at a time. */
type Overlay = 'palette' | 'keys' | 'drawer' | 'recent';

const open = createSignal<Overlay | undefined>(undefined);

export const useOverlay = () => useSyncExternalStore(open.subscribe, open.get);

export const openPalette = (): void => open.set('palette');
export const openKeys = (): void => open.set('keys');
export const openRecent = (): void => open.set('recent');
export const openDrawer = (): void => open.set('drawer');
export const closeOverlay = (): void => open.set(undefined);
