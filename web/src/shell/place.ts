import { useLocation } from '@tanstack/react-router';
import { useLayoutEffect, useSyncExternalStore } from 'react';
import { createSignal } from '../store/index.ts';

/** A list of pages that stands in place of the sidebar: settings and account. */
export interface PlaceNavigation {
  readonly title: string;
  /** Where the arrow before the title leads. */
  readonly back: string;
  readonly entries: readonly {
    readonly to: string;
    readonly name: string;
    readonly icon: string;
    /** How much there needs somebody. */
    readonly count?: number | undefined;
  }[];
}

/** Where in the application a page is: the sidebar, Create and the palette go by it. */
export interface Place {
  /** The uri of the project at hand. */
  readonly project?: string | undefined;
  /** The uri of the tracker at hand. */
  readonly tracker?: string | undefined;
  readonly navigation?: PlaceNavigation | undefined;
}

const nowhere: Place = {};
const current = createSignal<Place>(nowhere);

export const usePlace = (): Place => useSyncExternalStore(current.subscribe, current.get);

/** The project that was at hand last stays in the sidebar while a page without one is shown. */
const lastProject = createSignal<string | undefined>(undefined);
export const useLastProject = (): string | undefined =>
  useSyncExternalStore(lastProject.subscribe, lastProject.get);

/** The page that is shown; what the address says of it beyond that is no matter of the frame, which need not be drawn anew for it. */
export const usePathname = (): string => useLocation({ select: ({ pathname }) => pathname });

/** Whether the page that is shown is this one, or one below it: who asks is drawn anew when the answer is another. */
export const useIsHere = (to: string, hasPagesBelow = false): boolean =>
  useLocation({
    select: ({ pathname }) => pathname === to || (hasPagesBelow && pathname.startsWith(`${to}/`)),
  });

let currentFace = '';

export function useSetPlace(place: Place | undefined): void {
  const { project, tracker, navigation } = place ?? nowhere;
  const face = JSON.stringify([project, tracker, navigation]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: places with the same content are one, also of two pages.
  useLayoutEffect(() => {
    if (face === currentFace) return;
    currentFace = face;
    current.set({ project, tracker, navigation });
    if (project !== undefined) lastProject.set(project);
  }, [face]);
}
