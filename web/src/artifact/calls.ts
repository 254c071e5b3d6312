import {
  type Artifact,
  type CommentVersion,
  createComment,
  deleteArtifact,
  getArtifactTimeline,
  getArtifactWatching,
  getChanges,
  listCommentVersions,
  listUserGroups,
  type MinimalUserGroup,
  patchArtifact,
  putArtifactWatching,
  putComment,
  restoreArtifact,
  type TimelineEntry,
  type Watching,
} from '@atelier/client/routes';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, keepStored, markListOld, markOld, queries, useStanding } from '../store/index.ts';

export type { TimelineEntry };
export type TimelineChange = TimelineEntry['changes'][number];

const PAGE = 30;
/** Where somebody wants to see something far back. */
const LARGE_PAGE = 100;

const timelineKey = (id: number) => [`artifacts/${id}`, 'timeline'] as const;

export type TimelineKind = 'comments' | 'changes' | 'commits' | 'references';

/** What happened, the newest first; more of it on demand. */
export function useTimeline({ id, last_modified_date: version }: Artifact, kinds: readonly TimelineKind[]) {
  const pageSize = useRef(PAGE);
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      // Another version has another history.
      queryKey: [...timelineKey(id), version, ...kinds],
      queryFn: async ({ pageParam, signal }) => {
        const query = { kinds: [...kinds], limit: pageSize.current, offset: pageParam };
        const { body, page } = await client.send(getArtifactTimeline, { params: { id }, query, signal });
        return { entries: body, size: page?.size ?? body.length, next: pageParam + body.length };
      },
      initialPageParam: 0,
      getNextPageParam: ({ next, size, entries }) => (next < size && entries.length > 0 ? next : undefined),
      placeholderData: (before) => before,
    });
  const pages = data?.pages ?? [];
  return {
    entries: pages.flatMap((page) => page.entries),
    size: pages[0]?.size ?? 0,
    error,
    isFirst: isPending,
    askAgain: () => void refetch(),
    showMore: !hasNextPage
      ? undefined
      : (howMany: 'some' | 'many' = 'some') => {
          if (isFetchingNextPage) return;
          pageSize.current = howMany === 'many' ? LARGE_PAGE : PAGE;
          void fetchNextPage();
        },
  };
}

/** Who changed a field last, and when: somebody else may have changed another one since. */
export function useLastChanges(artifact: Artifact): (fieldId: number) => LastChange {
  const { entries } = useTimeline(artifact, ['comments', 'changes']);
  const { last_update_by_user: by, last_modified_date: on } = artifact;
  return (fieldId) => {
    const entry = entries.find(({ changes }) => changes.some(({ field_id: id }) => id === fieldId));
    return entry === undefined ? { by, on } : { by: entry.submitted_by, on: entry.submitted_on };
  };
}

export interface LastChange {
  readonly by: Artifact['last_update_by_user'] | TimelineEntry['submitted_by'];
  readonly on: string;
}

/** Groups that alone may read a comment, where the tracker has such comments. */
export function usePrivateGroups(projectId: number, isWanted: boolean): readonly MinimalUserGroup[] {
  const { data } = useQuery({
    queryKey: [`projects/${projectId}/user_groups`],
    queryFn: ({ signal }) => client.call(listUserGroups, { params: { id: projectId }, query: {}, signal }),
    enabled: isWanted,
  });
  return isWanted ? (data ?? []) : [];
}

/** What a comment was before; the newest version first. */
export function useCommentVersions(id: number, changesetId: number) {
  const { data, error } = useQuery({
    queryKey: [`artifacts/${id}`, 'comment versions', changesetId],
    queryFn: async ({ signal }): Promise<CommentVersion[]> => {
      const params = { id, changeset_id: changesetId };
      const versions: CommentVersion[] = [];
      for await (const version of client.all(listCommentVersions, { params, query: { limit: 50 }, signal }))
        versions.push(version);
      return versions.reverse();
    },
    staleTime: 0,
  });
  return { versions: data, error };
}

/** All of what a field was before a changeset, or is after it, where the timeline shows only the beginning of a text. */
export async function wholeCell(
  side: 'before' | 'after',
  { id, changesetId, fieldId }: { id: number; changesetId: number; fieldId: number },
): Promise<TimelineChange['before'] | undefined> {
  const changes = await client.call(getChanges, { params: { id, changeset_id: changesetId } });
  return changes.find(({ field_id: changed }) => changed === fieldId)?.[side];
}

const isOld = (id: number) => {
  markOld(`artifacts/${id}`);
  return queries.invalidateQueries({ queryKey: timelineKey(id) });
};

/** A comment that only some may read cannot wait with others: it is sent at once. */
export async function commentFor(
  id: number,
  body: string,
  groupIds: readonly string[],
  key: string,
): Promise<void> {
  await client.call(createComment, {
    params: { id },
    body: { body, format: 'commonmark', ugroups: [...groupIds] },
    idempotencyKey: key,
  });
  await isOld(id);
}

/** An empty text deletes it; a comment that is given whole comes back as it was. */
export async function editComment(
  id: number,
  changesetId: number,
  next: string | NonNullable<TimelineEntry['comment']>,
): Promise<void> {
  const source = typeof next === 'string' ? next : next.commonmark;
  const text =
    source === undefined && typeof next !== 'string'
      ? { body: next.body, format: next.format }
      : { body: source ?? '', format: 'commonmark' as const };
  const whose = typeof next === 'string' ? {} : { ugroups: (next.ugroups ?? []).map((group) => group.id) };
  await client.call(putComment, {
    params: { id, changeset_id: changesetId },
    body: { ...text, ...whose },
  });
  await isOld(id);
}

/** Gives how many one may still delete today; undefined where nobody counts. */
export async function removeArtifact(id: number): Promise<number | undefined> {
  const { headers } = await client.send(deleteArtifact, { params: { id } });
  void markListOld();
  const left = headers.get('X-RateLimit-Remaining');
  return left === null ? undefined : Number(left);
}

export async function bringBack(id: number): Promise<void> {
  await client.call(restoreArtifact, { params: { id } });
  void markListOld();
  await isOld(id);
}

export type MovedField = { readonly field_id: number; readonly label: string };

/** What would become of the values in another tracker. */
export interface MovePreview {
  readonly migrated: readonly MovedField[];
  readonly partly: readonly MovedField[];
  readonly lost: readonly MovedField[];
}

export function useMovePreview(id: number, trackerId: number | null) {
  const { data, error, isFetching } = useQuery({
    queryKey: [`artifacts/${id}`, 'move', trackerId],
    queryFn: async ({ signal }): Promise<MovePreview> => {
      const body = { move: { tracker_id: trackerId ?? 0, dry_run: true } };
      const { dry_run: preview } = await client.call(patchArtifact, { params: { id }, body, signal });
      return {
        migrated: preview?.fields.fields_migrated ?? [],
        partly: preview?.fields.fields_partially_migrated ?? [],
        lost: preview?.fields.fields_not_migrated ?? [],
      };
    },
    enabled: trackerId !== null,
    retry: false,
    staleTime: 0,
  });
  return { preview: trackerId === null ? undefined : data, error, isAsking: isFetching };
}

export async function moveArtifact(id: number, trackerId: number): Promise<void> {
  await client.call(patchArtifact, { params: { id }, body: { move: { tracker_id: trackerId } } });
  void markListOld();
  await isOld(id);
}

const watchingKey = (id: number) => [`artifacts/${id}`, 'watching'] as const;

/** Whether one is told of what happens here; undefined until it is known, and for visitors. */
export function useWatching(id: number): Watching | undefined {
  const { user } = useStanding();
  const { data } = useQuery({
    queryKey: watchingKey(id),
    queryFn: ({ signal }) => client.call(getArtifactWatching, { params: { id }, signal }),
    enabled: user !== null,
  });
  return data;
}

export async function setWatching(
  id: number,
  wish: { readonly is_watching?: boolean; readonly is_muted?: boolean },
): Promise<Watching> {
  const next = await client.call(putArtifactWatching, { params: { id }, body: wish });
  keepStored(watchingKey(id), next);
  return next;
}
