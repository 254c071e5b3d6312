import * as contract from '@atelier/contract';
import {
  type DeletedArtifact,
  deleteWithArchive,
  listDeleted,
  readContextOf,
  restoreFromArchive,
} from '../../../artifacts/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/errors.ts';
import { type PresentationContext, trackerReferenceText } from '../../../present/index.ts';
import { rateLimitHeaders } from '../../headers.ts';
import { presentationOf, written } from '../../in-parts.ts';
import { bind, Json, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { referenceText } from './artifacts.ts';
import { parseQueryObject } from './query.ts';

/** The tracker that `query` asks for. */
function trackerIn(query = ''): number | undefined {
  if (query.trim() === '') return undefined;
  const id: unknown = parseQueryObject(query)?.['tracker_id'];
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    throw invalid('parameter "query" must be a JSON object with the id of a tracker: {"tracker_id": 12}');
  return id;
}

function deletedText(
  { people }: PresentationContext,
  { id, tracker, title, deletedOn, deletedBy }: DeletedArtifact,
): string {
  const xref = JSON.stringify(`${tracker.itemName} #${id}`);
  return (
    `{"id":${id},"uri":"deleted_artifacts/${id}","xref":${xref},"title":${JSON.stringify(title)}` +
    `,"tracker":${trackerReferenceText(tracker)},"deleted_on":"${formatInstant(deletedOn)}"` +
    `,"deleted_by":${people.minimal(deletedBy)}}`
  );
}

export function deletedArtifactBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.deleteArtifact, async ({ viewer, params }) => ({
      headers: rateLimitHeaders(await deleteWithArchive(services, viewer, params.id)),
    })),
    bind(contract.listDeletedArtifacts, async ({ viewer, query: { query, ...page } }) => {
      const readContext = await readContextOf(database, viewer, trackers);
      const { items, size } = await listDeleted(readContext, { trackerId: trackerIn(query), ...page });
      const presentation = await presentationOf(services, readContext);
      const text = await written(readContext, presentation, () =>
        items.map((item) => deletedText(presentation, item)).join(','),
      );
      return { body: new Json(`[${text}]`), page: { ...page, size } };
    }),
    bind(contract.restoreArtifact, async ({ viewer, params: { id } }) => {
      const { trackerId } = await restoreFromArchive(services, viewer, id);
      const { tracker } = await trackers.require(database, viewer, trackerId, await database.revisions());
      return { body: new Json(referenceText(id, tracker)) };
    }),
  ];
}
