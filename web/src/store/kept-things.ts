import { queries } from './queries.ts';
import type { Known } from './things.ts';

/** Something that was read before, found by its words without asking anybody. */
export interface KeptThing {
  readonly uri: string;
  readonly xref: string;
  readonly title: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function keptThingOf(uri: string, body: object): KeptThing {
  return { uri, xref: textOf(Reflect.get(body, 'xref')), title: textOf(Reflect.get(body, 'title')) };
}

/** Artifacts that this browser has read, those that were read last in front. */
export function keptArtifacts(words: string, most: number): readonly KeptThing[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Map<string, KeptThing>();
  const known = queries
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => /^artifacts\/\d+$/.test(String(queryKey[0])) });
  for (const { queryKey, state } of known.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)) {
    if (found.size >= most) break;
    const body = queries.getQueryData<Known<unknown>>(queryKey)?.body;
    if (state.data === undefined || typeof body !== 'object' || body === null) continue;
    const thing = keptThingOf(String(queryKey[0]), body);
    const text = `${thing.xref} ${thing.title}`.toLowerCase();
    if (thing.xref !== '' && wanted.every((word) => text.includes(word)) && !found.has(thing.uri))
      found.set(thing.uri, thing);
  }
  return [...found.values()];
}
