import { type DocSection, docs } from 'virtual:docs';
import { use } from 'react';
import { type Messages, useMessages } from '../messages/index.ts';

export type { DocSection };

export type DocEntry = (typeof docs)[number];

export type DocGroup = keyof Messages['help']['groups'];

/** Who a page is written for. One that is named nowhere is for everybody who uses Atelier. */
const groupOf = (name: string): DocGroup => {
  if (name.startsWith('decisions')) return 'reasons';
  if (name.startsWith('how-to')) return 'changing';
  return groups.find(([, names]) => names.includes(name))?.[0] ?? 'using';
};

const groups: readonly (readonly [DocGroup, readonly string[]])[] = [
  ['using', ['readme', 'first-team', 'query-language', 'import-export-csv', 'subversion', 'glossary']],
  ['running', ['operations', 'command-line', 'backup', 'postgresql', 'security', 'threat-model']],
  ['programs', ['compatibility', 'events', 'webhooks']],
  ['changing', ['architecture', 'life-of-a-request', 'life-of-a-change']],
  ['reasons', []],
];

/** Pages in the order of the list, then by their names. */
export function docsByGroup(): readonly (readonly [DocGroup, readonly DocEntry[]])[] {
  return groups.map(([group, names]) => {
    const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
    const entries = docs.filter(({ name }) => groupOf(name) === group);
    return [group, entries.toSorted((one, other) => place(one.name) - place(other.name))];
  });
}

export const docNamed = (name: string): DocEntry | undefined => docs.find((doc) => doc.name === name);

const asked = new Map<string, ReturnType<DocEntry['load']>>();

/** Suspends until the page is there. One that could not be loaded is asked for again by the next who looks. */
export function useSections(doc: DocEntry): readonly DocSection[] {
  let loading = asked.get(doc.name);
  if (loading === undefined) {
    loading = doc.load();
    asked.set(doc.name, loading);
    loading.catch(() => asked.delete(doc.name));
  }
  return use(loading).sections;
}

export const useGroupName = (name: string): string => useMessages().help.groups[groupOf(name)];
