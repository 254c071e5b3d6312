import * as contract from '@atelier/contract';
import { type Artifact, gather, readArtifacts, sightOf, type WordMatch } from '../../artifacts/index.ts';
import { second } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { readProject } from '../../projects/index.ts';
import { titleOf, ValueWriter } from '../present/artifacts.ts';
import { htmlOf } from '../present/excerpts.ts';
import { bind, Json, type RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { mannerOf, written } from './artifacts.ts';
import { common } from './tracker-artifacts.ts';

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

async function matchesText(services: Services, viewer: Viewer, matches: readonly WordMatch[]): Promise<Json> {
  const sight = await sightOf(services.database, viewer, services.trackers);
  const manner = await mannerOf(services, sight);
  const byId = new Map(matches.map((match) => [match.id, match]));
  const artifacts = await readArtifacts(sight, [...byId.keys()]);
  const nothing = await gather(sight, []);
  const textOf = (artifact: Artifact) => {
    const match = byId.get(artifact.row.id);
    return match === undefined ? [] : matchText(match, artifact, new ValueWriter(artifact, nothing, manner));
  };
  return new Json(await written(sight, manner, () => `[${artifacts.flatMap(textOf).join(',')}]`));
}

export function fullTextBindings(services: Services): RouteBinding[] {
  const { database, searches, config } = services;
  return [
    bind(contract.searchArtifacts, async ({ viewer, query: { words, project_id, limit, offset } }) => {
      if (project_id !== undefined) await readProject(database, viewer, project_id);
      const patience = config.searchSeconds * second;
      const search = { words, projectId: project_id, limit, offset, patience };
      const { items, size } = await searches.findByWords(viewer, search);
      return { body: await matchesText(services, viewer, items), page: { limit, offset, size } };
    }),
  ];
}
