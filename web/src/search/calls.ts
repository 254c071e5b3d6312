import { type FoundArtifact, searchArtifacts } from '@atelier/client/routes';
import { client, type Facet, type ListSource, listAddress } from '../store/index.ts';

export type { FoundArtifact };

const foundFacet: Facet<FoundArtifact> = { name: 'found' };

/** Artifacts that have all of some words. */
export function foundSource(words: string, projectId: number | undefined): ListSource<FoundArtifact> {
  return {
    address: listAddress('/search', { words, project_id: projectId }),
    pageSize: 50,
    read: async (offset, limit, signal) => {
      const query = { words, limit, offset, ...(projectId === undefined ? {} : { project_id: projectId }) };
      const { body, page } = await client.send(searchArtifacts, { query, signal });
      return { items: body, size: page?.size ?? body.length };
    },
    // What was found differs with the words, so it is kept under them.
    uriOf: ({ uri }) => `${uri}?words=${words}`,
    facet: foundFacet,
  };
}
