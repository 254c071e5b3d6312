import * as contract from '@atelier/contract';
import {
  type Artifact,
  type Changeset,
  findHistory,
  gather,
  type HistoryRequest,
  type Outline,
  readArtifact,
  readCommented,
  readCommentVersions,
  readHistory,
} from '../../../artifacts/index.ts';
import { tellingFaults } from '../../../kernel/errors.ts';
import {
  changesetTexts,
  changesetTextsInParts,
  commentedText,
  commentVersionsText,
} from '../../../present/index.ts';
import { type Answering, presentationOf, written } from '../../in-parts.ts';
import { requestKeyOf } from '../../pipeline/index.ts';
import { bind, Json, JsonParts, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { HistoryParts, type HistoryWriting } from './history-in-parts.ts';

function commentBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  const answer = async ({ viewer, room }: Answering, artifactId: number, changesetId: number) => {
    const { readContext, artifact } = await readArtifact(database, viewer, trackers, artifactId, { room });
    const changeset = await readCommented(database, artifact, changesetId);
    const presentation = await presentationOf(services, readContext);
    return new Json(
      await written(readContext, presentation, () => commentedText(artifact, changeset, presentation)),
    );
  };
  return [
    bind(contract.createComment, async ({ viewer, room, params, body, headers }) => {
      const { ugroups: groups, ...text } = body;
      const requestKey = requestKeyOf(headers, 'POST comment', params.id, body);
      const input = { artifactId: params.id, ...text, groups, requestKey };
      const { id } = await tellingFaults(() => operations.addComment(viewer, input));
      return { body: await answer({ viewer, room }, params.id, id) };
    }),
    bind(contract.putComment, async ({ viewer, room, params, body, headers }) => {
      const { ugroups: groups, ...text } = body;
      const { id: artifactId, changeset_id: changesetId } = params;
      const requestKey = requestKeyOf(headers, 'PUT comment', artifactId, changesetId, body);
      const input = { artifactId, changesetId, ...text, groups, requestKey };
      await tellingFaults(() => operations.editComment(viewer, input));
      return { body: await answer({ viewer, room }, artifactId, changesetId) };
    }),
    bind(contract.listCommentVersions, async ({ viewer, room, params, query: { limit, offset } }) => {
      const { readContext, artifact } = await readArtifact(database, viewer, trackers, params.id, { room });
      const page = { limit, offset };
      const { items, size } = await readCommentVersions(readContext, artifact, params.changeset_id, page);
      const presentation = await presentationOf(services, readContext);
      const text = await written(readContext, presentation, () =>
        commentVersionsText(artifact, items, presentation),
      );
      return { body: new Json(text), page: { ...page, size } };
    }),
  ];
}

const pastOf = ({ view }: Artifact, changesets: readonly Changeset[]) =>
  changesets.flatMap(({ document }) => (document === undefined ? [] : { fields: view.shown, document }));

/**
 * How changesets are written. Each shows the whole values at its time, `valueBytes`, so that many of them may show much more than
 * was changed.
 */
const changesetWriting = (input: HistoryRequest, valueBytes: number): HistoryWriting<Outline> => ({
  bytesOf: ({ bytes }) => bytes + (input.commentsOnly ? 0 : valueBytes),
  async prepare({ readContext, artifact }, outlines, presentation) {
    const changesets = await readHistory(readContext, artifact, outlines, input);
    const past = pastOf(artifact, changesets);
    const related = await gather(readContext, past.length === 0 ? [] : [artifact], { past });
    return {
      text: () => changesetTexts(artifact, changesets, related, presentation),
      parts: () => changesetTextsInParts(artifact, changesets, related, presentation),
    };
  },
});

export function artifactHistoryBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.listChangesets, async ({ viewer, room, params, query }) => {
      const { limit, offset, fields, order } = query;
      const read = await readArtifact(database, viewer, trackers, params.id, { room });
      const input = { limit, offset, isDescending: order === 'desc', commentsOnly: fields === 'comments' };
      const { items, size } = await findHistory(read.readContext, read.artifact, input);
      const parts = new HistoryParts(
        services,
        { viewer, room },
        read,
        items,
        changesetWriting(input, read.bytes),
      );
      return { body: new JsonParts(parts), page: { limit, offset, size } };
    }),
    ...commentBindings(services),
  ];
}
