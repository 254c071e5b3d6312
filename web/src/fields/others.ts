import { arriving } from './arriving.tsx';
import { referenceFilterWords } from './filter-words.ts';
import { type FieldValue, isMembers, membersIn, numberIn, textIn } from './model.ts';
import { simpleType } from './simple.ts';

export type Reference = { readonly ref: string; readonly address: string; readonly direction: string };

/** Addresses that the API hands out lead to the same server, whatever name it has there. */
export function referencesIn(value: FieldValue | undefined): Reference[] {
  return membersIn(value?.['value']).map((reference) => {
    const address = URL.parse(textIn(reference['url']), location.origin);
    return {
      ref: textIn(reference['ref']),
      address: address === null ? '/' : address.pathname + address.search + address.hash,
      direction: textIn(reference['direction']),
    };
  });
}

export const crossType = simpleType('cross', {
  holds: 'references',
  Reader: arriving((parts) => parts.CrossReader),
  Filter: arriving((parts) => parts.ReferenceFilter),
  filterWords: referenceFilterWords,
  isEmpty: (value) => referencesIn(value).length === 0,
  summary: (value, formats) => formats.list(referencesIn(value).map(({ ref }) => ref)),
});

export type Point = { readonly date: string; readonly left: number | null };

export function pointsIn(value: FieldValue | undefined): {
  points: Point[];
  days: number;
  capacity: number | null;
} {
  const burndown = isMembers(value?.['value']) ? value['value'] : {};
  const points = membersIn(burndown['points_with_date']).map((point) => ({
    date: textIn(point['date']),
    left: numberIn(point['remaining_effort']),
  }));
  return {
    points,
    days: numberIn(burndown['duration']) ?? points.length,
    capacity: numberIn(burndown['capacity']),
  };
}

export const burndownType = simpleType('burndown', {
  holds: 'burndown',
  Reader: arriving((parts) => parts.BurndownReader),
  isWide: true,
  isEmpty: (value) => pointsIn(value).points.length === 0,
  summary: () => '',
});

export function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Types that an extension brings: shown as they come, and changed by nobody here. */
export const otherType = simpleType('', {
  Reader: arriving((parts) => parts.AnyReader),
  summary: (value) => wordsOf(value?.['value']),
});
