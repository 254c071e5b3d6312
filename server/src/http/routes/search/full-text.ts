import * as contract from '@atelier/contract';
import { type Artifact, gather, type WordMatch } from '../../../artifacts/index.ts';
import { second } from '../../../kernel/clock.ts';
import { readProject } from '../../../projects/index.ts';
import { titleOf, ValueWriter } from '../../present/artifacts.ts';
import { htmlOf } from '../../present/excerpts.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import type { Writing } from '../artifacts/in-parts.ts';
import { common, listOf } from '../artifacts/of-trackers.ts';

function matchText({ place, snippets }: WordMatch, artifact: Artifact, writer: ValueWriter): string {
  const shown = snippets.map(({ place: where, fieldId, text, highlights }) => ({
    place: where,
    field_id: fieldId,
    text,
    highlights: highlights.map(([start, end]) => ({ start, end })),
    html: htmlOf({ text, highlights }),
  }));
  const title = JSON.stringify(titleOf(artifact, writer));
  return `{${common(artifact)},"title":${title},"found_in":"${place}","snippets":${JSON.stringify(shown)}}`;
}

/** Artifacts with the places where words were found in them. */
const asMatches = (matches: ReadonlyMap<number, WordMatch>): Writing => ({
  gather: (readContext) => gather(readContext, []),
  text(artifact, nothing, presentation) {
    const match = matches.get(artifact.row.id);
    return match === undefined
      ? ''
      : matchText(match, artifact, new ValueWriter(artifact, nothing, presentation));
  },
});

export function fullTextBindings(services: Services): RouteBinding[] {
  const { database, searches, config } = services;
  return [
    bind(contract.searchArtifacts, async ({ viewer, query: { words, project_id, limit, offset }, room }) => {
      if (project_id !== undefined) await readProject(database, viewer, project_id);
      const patience = config.searchSeconds * second;
      const search = { words, projectId: project_id, limit, offset, patience };
      const { items, size } = await searches.findByWords(viewer, search);
      const matches = new Map(items.map((match) => [match.id, match]));
      const ids = [...matches.keys()];
      const body = listOf(services, { viewer, room }, { ids }, asMatches(matches));
      return { body, page: { limit, offset, size } };
    }),
  ];
}
