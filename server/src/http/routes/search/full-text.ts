import * as contract from '@atelier/contract';
import { type Artifact, gather, type WordMatch } from '../../../artifacts/index.ts';
import { type Instant, parseInstant, second } from '../../../kernel/clock.ts';
import { invalidMember } from '../../../kernel/errors.ts';
import {
  htmlOf,
  presentMinimalTracker,
  projectReferenceText,
  statusOf,
  titleOf,
  ValueWriter,
} from '../../../present/index.ts';
import { readProject } from '../../../projects/index.ts';
import type { Writing } from '../../in-parts.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { common, listOf } from '../artifacts/index.ts';

function matchText({ place, snippets }: WordMatch, artifact: Artifact, writer: ValueWriter): string {
  const shown = snippets.map(({ place: where, fieldId, text, highlights }) => ({
    place: where,
    field_id: fieldId,
    text,
    highlights: highlights.map(([start, end]) => ({ start, end })),
    html: htmlOf({ text, highlights }),
  }));
  const title = JSON.stringify(titleOf(artifact, writer));
  const status = JSON.stringify(statusOf(artifact, writer));
  return (
    `{${common(artifact)},"project":${projectReferenceText(artifact.view.tracker.project)},"title":${title}` +
    `,"full_status":${status},"found_in":"${place}","snippets":${JSON.stringify(shown)}}`
  );
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

function instantIn(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) throw invalidMember('updated_after', 'It is not a date.');
  return instant;
}

export function fullTextBindings(services: Services): RouteBinding[] {
  const { database, searches, config, trackers } = services;
  return [
    bind(contract.searchArtifacts, async ({ viewer, query, room }) => {
      const { words, project_id: projectId, tracker_id: trackerIds, is_open: isOpen, limit, offset } = query;
      if (projectId !== undefined) await readProject(database, viewer, projectId);
      const patience = config.searchSeconds * second;
      const updatedAfter = instantIn(query.updated_after);
      const search = { words, projectId, trackerIds, isOpen, updatedAfter, limit, offset, patience };
      const { items, size } = await searches.findByWords(viewer, search);
      const matches = new Map(items.map((match) => [match.id, match]));
      const ids = [...matches.keys()];
      const body = listOf(services, { viewer, room }, { ids }, asMatches(matches));
      return { body, page: { limit, offset, size } };
    }),
    bind(contract.countFoundArtifacts, async ({ viewer, query: { words, is_open: isOpen, ...query } }) => {
      const patience = config.searchSeconds * second;
      const updatedAfter = instantIn(query.updated_after);
      const search = { words, projectId: undefined, isOpen, updatedAfter, patience };
      const found = await searches.countByWords(viewer, search);
      const revisions = await database.revisions();
      const body: contract.ResponseOf<typeof contract.countFoundArtifacts> = [];
      for (const { trackerId, count } of found) {
        const tracker = await trackers.find(database, trackerId, revisions);
        if (tracker !== undefined) body.push({ tracker: presentMinimalTracker(tracker), count });
      }
      return { body };
    }),
  ];
}
