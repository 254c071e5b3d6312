import * as contract from '@atelier/contract';
import {
  type Artifact,
  type Changeset,
  gather,
  readArtifact,
  readCommented,
  readCommentVersions,
  readHistory,
  type Sight,
} from '../../artifacts/index.ts';
import { changesetsText, commentedText, commentVersionsText } from '../present/changesets.ts';
import { bind, Json, type RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { mannerOf, written } from './artifacts.ts';

async function historyText(
  services: Services,
  sight: Sight,
  artifact: Artifact,
  changesets: readonly Changeset[],
): Promise<Json> {
  const manner = await mannerOf(services, sight);
  const past = changesets.flatMap(({ document }) =>
    document === undefined ? [] : { fields: artifact.view.shown, document },
  );
  const surroundings = await gather(sight, past.length === 0 ? [] : [artifact], { past });
  return new Json(
    await written(sight, manner, () => changesetsText(artifact, changesets, surroundings, manner)),
  );
}

function commentBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers } = services;
  const answer = async (viewer: Sight['viewer'], artifactId: number, changesetId: number) => {
    const { sight, artifact } = await readArtifact(database, viewer, trackers, artifactId);
    const changeset = await readCommented(database, artifact, changesetId);
    const manner = await mannerOf(services, sight);
    return new Json(await written(sight, manner, () => commentedText(artifact, changeset, manner)));
  };
  return [
    bind(contract.createComment, async ({ viewer, params, body }) => {
      const { ugroups: groups, ...text } = body;
      const { id } = await operations.addComment(viewer, { artifactId: params.id, ...text, groups });
      return { body: await answer(viewer, params.id, id) };
    }),
    bind(contract.putComment, async ({ viewer, params, body }) => {
      const { ugroups: groups, ...text } = body;
      const { id: artifactId, changeset_id: changesetId } = params;
      await operations.editComment(viewer, { artifactId, changesetId, ...text, groups });
      return { body: await answer(viewer, artifactId, changesetId) };
    }),
    bind(contract.listCommentVersions, async ({ viewer, params, query: { limit, offset } }) => {
      const { sight, artifact } = await readArtifact(database, viewer, trackers, params.id);
      const page = { limit, offset };
      const { items, size } = await readCommentVersions(sight, artifact, params.changeset_id, page);
      const manner = await mannerOf(services, sight);
      const text = await written(sight, manner, () => commentVersionsText(artifact, items, manner));
      return { body: new Json(text), page: { ...page, size } };
    }),
  ];
}

export function artifactHistoryBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  return [
    bind(contract.listChangesets, async ({ viewer, params, query }) => {
      const { limit, offset, fields, order } = query;
      const { sight, artifact } = await readArtifact(database, viewer, trackers, params.id);
      const wish = { limit, offset, isDescending: order === 'desc', commentsOnly: fields === 'comments' };
      const { items, size } = await readHistory(sight, artifact, wish);
      const body = await historyText(services, sight, artifact, items);
      return { body, page: { limit, offset, size } };
    }),
    ...commentBindings(services),
  ];
}
