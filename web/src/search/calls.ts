import {
  countFoundArtifacts,
  type FoundArtifact,
  type QuickResult,
  quickSearch,
  searchArtifacts,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client, type Facet, type ListSource, listAddress } from '../store/index.ts';

export type { FoundArtifact, QuickResult };

const foundFacet: Facet<FoundArtifact> = { name: 'found' };

/** What is looked for, and where. */
export interface SearchWish {
  readonly words: string;
  readonly projectId?: number | undefined;
  readonly trackerId?: number | undefined;
  /** Undefined: open and closed ones. */
  readonly isOpen?: boolean | undefined;
}

function queryOf({ words, projectId, trackerId, isOpen }: SearchWish) {
  return {
    words,
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(trackerId === undefined ? {} : { tracker_id: [trackerId] }),
    ...(isOpen === undefined ? {} : { is_open: isOpen }),
  };
}

/** Artifacts that have all of some words. */
export function foundSource(wish: SearchWish): ListSource<FoundArtifact> {
  return {
    address: listAddress('/search', queryOf(wish)),
    pageSize: 50,
    read: async (offset, limit, signal) => {
      const query = { ...queryOf(wish), limit, offset };
      const { body, page } = await client.send(searchArtifacts, { query, signal });
      return { items: body, size: page?.size ?? body.length };
    },
    // What was found differs with the words, so it is kept under them.
    uriOf: ({ uri }) => `${uri}?words=${wish.words}`,
    facet: foundFacet,
  };
}

/** A tracker with how many of its artifacts were found. */
export interface TrackerFacet {
  readonly id: number;
  readonly label: string;
  readonly color: string;
  readonly count: number;
}

export interface ProjectFacet {
  readonly id: number;
  readonly label: string;
  readonly count: number;
  readonly trackers: readonly TrackerFacet[];
}

/** Where the words are: projects with their trackers, those with most first. */
export function useFacets({ words, isOpen }: SearchWish): readonly ProjectFacet[] | undefined {
  const { data } = useQuery({
    queryKey: ['search', 'facets', words, isOpen],
    enabled: words !== '',
    queryFn: ({ signal }) => client.call(countFoundArtifacts, { query: queryOf({ words, isOpen }), signal }),
  });
  if (data === undefined) return undefined;
  const projects = new Map<number, { id: number; label: string; count: number; trackers: TrackerFacet[] }>();
  for (const { tracker, count } of data) {
    const { id, label } = tracker.project;
    const project = projects.get(id) ?? { id, label, count: 0, trackers: [] };
    project.count += count;
    project.trackers.push({ id: tracker.id, label: tracker.label, color: tracker.color_name, count });
    projects.set(id, project);
  }
  const byCount = (left: { readonly count: number }, right: { readonly count: number }) =>
    right.count - left.count;
  return [...projects.values()]
    .map((project) => ({ ...project, trackers: project.trackers.toSorted(byCount) }))
    .toSorted(byCount);
}

/** Projects, people and repositories whose names have the words. */
export function useNamed(words: string): readonly (QuickResult & { readonly kind: NamedKind })[] {
  const { data } = useQuery({
    queryKey: ['search', 'named', words],
    enabled: words !== '',
    queryFn: ({ signal }) => client.call(quickSearch, { query: { words, kinds: [...namedKinds] }, signal }),
  });
  return data === undefined
    ? []
    : namedKinds.flatMap((kind) => data[kind].slice(0, 3).map((one) => ({ ...one, kind })));
}

const namedKinds = ['projects', 'people', 'repositories'] as const;
export type NamedKind = (typeof namedKinds)[number];
