import {
  type Artifact,
  getArtifact,
  getProject,
  getTracker,
  getUser,
  type Project,
  type Tracker,
  type UserWithResources,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { idOfUri } from '../kernel/addresses.ts';
import { client } from './client.ts';
import { keepStored, queries } from './queries.ts';

/** One version of a thing. */
export interface Known<Body> {
  readonly body: Body;
  /** For `ifMatch`. */
  readonly etag?: string | undefined;
}

/** How much of a thing somebody needs, and how it is read. What only comes along with lists has no way of its own to be read. */
export interface Facet<Body> {
  readonly name: string;
  readonly read?: ((uri: string, signal: AbortSignal) => Promise<Known<Body>>) | undefined;
}

export const artifactFacet: Facet<Artifact> = {
  name: 'full',
  read: (uri, signal) => client.send(getArtifact, { params: { id: idOfUri(uri) }, signal }),
};

export const trackerFacet: Facet<Tracker> = {
  name: 'full',
  read: (uri, signal) => client.send(getTracker, { params: { id: idOfUri(uri) }, signal }),
};

export const projectFacet: Facet<Project> = {
  name: 'full',
  read: (uri, signal) => client.send(getProject, { params: { id: idOfUri(uri) }, signal }),
};

export const userFacet: Facet<UserWithResources> = {
  name: 'full',
  read: (uri, signal) => client.send(getUser, { params: { id: String(idOfUri(uri)) }, signal }),
};

export const keyOf = (uri: string, { name }: { readonly name: string }) => [uri, name] as const;

/** What a page gets of a thing. */
export interface Thing<Body> {
  /** Absent until it was read for the first time. */
  readonly thing: Body | undefined;
  readonly etag: string | undefined;
  readonly error: Error | null;
  readonly isAsking: boolean;
  askAgain(): void;
}

function thingQuery<Body>(uri: string, facet: Facet<Body>) {
  const { read } = facet;
  return {
    queryKey: keyOf(uri, facet),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Known<Body>> => {
      if (read === undefined) throw new Error(`${uri} has no ${facet.name}.`);
      const { body, etag } = await read(uri, signal);
      return { body, etag };
    },
    enabled: read !== undefined,
  };
}

/** A thing by its uri, as it is known at once, and asked again when that is old. Without a uri nothing is asked. */
export function useThing<Body>(uri: string | undefined, facet: Facet<Body>): Thing<Body> {
  const query = thingQuery(uri ?? '', facet);
  const { data, error, isFetching, refetch } = useQuery({
    ...query,
    enabled: query.enabled && uri !== undefined,
  });
  return {
    thing: uri === undefined ? undefined : data?.body,
    etag: data?.etag,
    error,
    isAsking: isFetching,
    askAgain: () => void refetch(),
  };
}

export function knownThing<Body>(uri: string, facet: Facet<Body>): Known<Body> | undefined {
  return queries.getQueryData<Known<Body>>(keyOf(uri, facet));
}

/** Keeps what an answer told about a thing. */
export function feed<Body>(uri: string, facet: Facet<Body>, known: Known<Body>): void {
  keepStored(keyOf(uri, facet), known);
}

/** Whoever looks at it reads it anew; others do when they come back to it. */
export function markOld(uri: string): void {
  void queries.invalidateQueries({ queryKey: [uri] });
}

export const useTracker = (uri: string | undefined) => useThing(uri, trackerFacet);
export const useProject = (uri: string | undefined) => useThing(uri, projectFacet);
