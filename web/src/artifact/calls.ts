import {
  type Artifact,
  type Comment,
  createComment,
  deleteArtifact,
  listChangesets,
  type MinimalUser,
  putComment,
  restoreArtifact,
  type Tracker,
} from '@atelier/client/routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FieldValue, fieldTypeOf, type RowCell } from '../fields/index.ts';
import { client, markOld, queries } from '../store/index.ts';

/** What a step changed in one field, as cells of rows have it. */
export interface TimelineChange {
  readonly field_id: number;
  readonly label: string;
  readonly type: string;
  readonly before: RowCell;
  readonly after: RowCell;
}

export interface TimelineEntry {
  readonly id: string;
  readonly changeset_id: number | null;
  readonly is_creation: boolean;
  readonly submitted_by: MinimalUser | null;
  readonly submitted_on: string;
  readonly comment: Comment | null;
  readonly is_edited: boolean;
  readonly changes: readonly TimelineChange[];
}

type Changeset = Awaited<ReturnType<typeof readChangesets>>['body'][number];

const PAGE = 50;

const timelineKey = (id: number) => [`artifacts/${id}`, 'timeline'] as const;

function readChangesets(id: number, offset: number, signal: AbortSignal) {
  return client.send(listChangesets, {
    params: { id },
    query: { order: 'desc', limit: PAGE, offset },
    signal,
  });
}

/** What happened, the newest first; more of it on demand. */
export function useTimeline(artifact: Artifact, tracker: Tracker) {
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    // Another version has another history.
    queryKey: [...timelineKey(artifact.id), artifact.last_modified_date],
    queryFn: async ({ pageParam, signal }) => {
      const { body, page } = await readChangesets(artifact.id, pageParam, signal);
      return { changesets: body, size: page?.size ?? body.length, next: pageParam + body.length };
    },
    initialPageParam: 0,
    getNextPageParam: ({ next, size }) => (next < size ? next : undefined),
    placeholderData: (before) => before,
  });
  const pages = data?.pages ?? [];
  const changesets = pages.flatMap((page) => page.changesets);
  return {
    entries: entriesOf(changesets, tracker, hasNextPage),
    size: pages[0]?.size ?? 0,
    error,
    isFirst: isPending,
    isAsking: isFetching,
    askAgain: () => void refetch(),
    ...(hasNextPage ? { showMore: () => void fetchNextPage() } : {}),
  };
}

/** A changeset has the whole state: what changed is what differs from the one before it. */
function entriesOf(changesets: readonly Changeset[], tracker: Tracker, hasMore: boolean): TimelineEntry[] {
  return changesets.map((changeset, place) => {
    const earlier = changesets[place + 1];
    const isFirst = earlier === undefined && !hasMore;
    const comment = changeset.last_comment;
    return {
      id: `changeset-${changeset.id}`,
      changeset_id: changeset.id,
      is_creation: isFirst,
      submitted_by: changeset.submitted_by_details,
      submitted_on: changeset.submitted_on,
      comment: comment.body === '' ? null : comment,
      is_edited: changeset.last_modified_date !== changeset.submitted_on,
      changes: isFirst || earlier === undefined ? [] : changesBetween(earlier, changeset, tracker),
    };
  });
}

const COUNTED_BY_ITSELF = new Set([
  'lud',
  'luby',
  'subon',
  'subby',
  'cross',
  'burndown',
  'priority',
  'aid',
  'atid',
]);

function changesBetween(before: Changeset, after: Changeset, tracker: Tracker): TimelineChange[] {
  const old = new Map<number, FieldValue>(before.values.map((value) => [value.field_id, value]));
  return after.values.flatMap((value: FieldValue): TimelineChange[] => {
    const was = old.get(value.field_id);
    const field = tracker.fields.find(({ field_id: id }) => id === value.field_id);
    if (field === undefined || COUNTED_BY_ITSELF.has(value.type)) return [];
    const type = fieldTypeOf(value.type);
    if (was === undefined && type.isEmpty(value)) return [];
    if (
      was !== undefined &&
      JSON.stringify(type.entryOf(field, was)) === JSON.stringify(type.entryOf(field, value))
    )
      return [];
    const cell = (one: FieldValue | undefined): RowCell => {
      if (one === undefined) return { value: null };
      return value.type === 'text' ? { value: type.summary(one, plainFormats) } : type.cellOf(field, one);
    };
    return [
      {
        field_id: value.field_id,
        label: field.label,
        type: columnType(value),
        before: cell(was),
        after: cell(value),
      },
    ];
  });
}

const plainFormats = { list: (words: readonly string[]) => words.join(', ') } as never;

function columnType(value: FieldValue): string {
  const types: Readonly<Record<string, string>> = {
    int: 'numeric',
    float: 'numeric',
    computed: 'numeric',
    date: 'date',
    file: 'files',
    art_link: 'links',
    string: 'text',
    text: 'text',
  };
  return types[value.type] ?? 'list_static';
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

export async function editComment(id: number, changesetId: number, body: string): Promise<void> {
  await client.call(putComment, {
    params: { id, changeset_id: changesetId },
    body: { body, format: 'commonmark' },
  });
  await isOld(id);
}

export async function removeArtifact(id: number): Promise<void> {
  await client.call(deleteArtifact, { params: { id } });
}

export async function bringBack(id: number): Promise<void> {
  await client.call(restoreArtifact, { params: { id } });
  await isOld(id);
}
