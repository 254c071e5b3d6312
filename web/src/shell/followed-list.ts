import { useState } from 'react';

/** The list that an artifact was opened from, as far as it was read. */
export interface FollowedList {
  readonly size: number;
  /** Around what was seen of it. */
  readonly from: number;
  readonly to: number;
  uriAt(place: number): string | undefined;
}

export interface FollowedPlace {
  /** Counted from 0. */
  readonly place: number;
  readonly size: number;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

let followed: FollowedList | undefined;

/** Pages of single artifacts lead to the next and the previous one of it. */
export function followList(list: FollowedList | undefined): void {
  followed = list;
}

function placeIn(list: FollowedList, uri: string): FollowedPlace | undefined {
  for (let place = Math.max(0, list.from); place < Math.min(list.size, list.to); place += 1)
    if (list.uriAt(place) === uri)
      return { place, size: list.size, previous: list.uriAt(place - 1), next: list.uriAt(place + 1) };
  return undefined;
}

/** Where something stands in the list that it was opened from; undefined where it was opened by itself. */
export function useFollowedPlace(uri: string): FollowedPlace | undefined {
  const [found] = useState(() => (followed === undefined ? undefined : placeIn(followed, uri)));
  return found;
}
