import {
  type BodyOf,
  checkSvnAccessFile,
  checkSvnImmutableTags,
  createSvn,
  deleteSvn,
  getSvn,
  getSvnAdministrators,
  getSvnBlame,
  getSvnFiles,
  getSvnLog,
  getSvnMailSettings,
  getSvnRevision,
  getSvnStatistics,
  getSvnTree,
  listProjectSvn,
  listSvnAccessVersions,
  listUserGroups,
  listUsers,
  putSvn,
  putSvnAdministrators,
  putSvnMailSettings,
  renderText,
  type SvnBlame,
  type SvnRepository,
  type SvnRevision,
  type SvnStatistic,
  type SvnTree,
  type User,
  undoSvnDeletion,
} from '@atelier/client/routes';
import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { idOfUri } from '../kernel/addresses.ts';
import { followed } from '../kernel/followed.ts';
import { client, keepStored, queries, useLive, useStanding } from '../store/index.ts';

export type { SvnBlame, SvnRepository, SvnRevision, SvnStatistic, SvnTree, User };
export type BlamedLine = SvnBlame['lines'][number];
export type TreeEntry = SvnTree['entries'][number];

/** Bytes of repositories are not kept on the device. */
const notKept = { meta: { isKept: false } } as const;
const minutes = 60_000;

export const listKey = (project: string) => [project, 'svn'] as const;
const repositoryKey = (id: number) => [`svn/${id}`, 'full'] as const;
const contentKey = (id: number, ...rest: readonly unknown[]) => [`svn/${id}`, 'content', ...rest] as const;

/** The repositories of a project, up to 50, with what is committed meanwhile. */
export function useProjectRepositories(project: string | undefined) {
  useLive(project === undefined ? undefined : `projects/${idOfUri(project)}`, ({ event }) => {
    if (event === 'svn' || event === 'reset')
      void queries.invalidateQueries({ queryKey: listKey(project ?? '') });
  });
  return useQuery({
    queryKey: listKey(project ?? ''),
    enabled: project !== undefined,
    queryFn: async ({ signal }): Promise<SvnRepository[]> => {
      const { repositories } = await client.call(listProjectSvn, {
        params: { id: idOfUri(project ?? '') },
        query: { limit: 50 },
        signal,
      });
      return repositories;
    },
  });
}

export const useRepositoryById = (id: number | undefined) =>
  useQuery({
    queryKey: repositoryKey(id ?? 0),
    enabled: id !== undefined,
    queryFn: ({ signal }) => client.call(getSvn, { params: { id: id ?? 0 }, signal }),
  });

/** The id of a repository by its name. */
export const useRepositoryId = (project: string | undefined, name: string | undefined) =>
  useQuery({
    queryKey: [project ?? '', 'svn-named', name ?? ''],
    enabled: project !== undefined && name !== undefined,
    queryFn: async ({ signal }): Promise<number | null> => {
      const { repositories } = await client.call(listProjectSvn, {
        params: { id: idOfUri(project ?? '') },
        query: { query: JSON.stringify({ name }), limit: 1 },
        signal,
      });
      return repositories[0]?.id ?? null;
    },
  });

export interface NewRepository {
  readonly projectId: number;
  readonly name: string;
  readonly layout: readonly string[];
  readonly isReferenceMandatory: boolean;
}

export async function makeRepository(project: string, wish: NewRepository): Promise<SvnRepository> {
  const made = await client.call(createSvn, {
    body: {
      project_id: wish.projectId,
      name: wish.name,
      settings: {
        layout: [...wish.layout],
        commit_rules: {
          is_reference_mandatory: wish.isReferenceMandatory,
          is_commit_message_change_allowed: false,
        },
      },
    },
  });
  await queries.invalidateQueries({ queryKey: listKey(project) });
  return made;
}

async function readAgain({ id, project }: SvnRepository): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: listKey(project.uri) }),
    queries.invalidateQueries({ queryKey: repositoryKey(id) }),
  ]);
}

export async function removeRepository(repository: SvnRepository): Promise<void> {
  await client.call(deleteSvn, { params: { id: repository.id } });
  await readAgain(repository);
}

export async function keepRepository(repository: SvnRepository): Promise<void> {
  await client.call(undoSvnDeletion, { params: { id: repository.id } });
  await readAgain(repository);
}

/** What is asked of one revision never changes. */
const freshness = (revision: number | undefined) =>
  revision === undefined ? {} : { staleTime: Number.POSITIVE_INFINITY };

/** What is committed or set meanwhile is told: then what a page shows of the youngest revision is old. */
export function useNews({ id, project }: SvnRepository): void {
  useLive(`projects/${project.id}`, (event) => {
    if (event.event === 'svn' && event.uri !== `svn/${id}`) return;
    if (event.event !== 'svn' && event.event !== 'reset') return;
    void queries.invalidateQueries({ queryKey: contentKey(id) });
    void queries.invalidateQueries({ queryKey: repositoryKey(id) });
  });
}

const treePage = 200;

/** A folder with its entries, page by page, or a file. */
export const useTree = (id: number, path: string, revision: number | undefined) =>
  useInfiniteQuery({
    queryKey: contentKey(id, 'tree', path, revision ?? null),
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }): Promise<{ tree: SvnTree; size: number; offset: number }> => {
      const query = { path: `/${path}`, ...(revision === undefined ? {} : { revision }) };
      const { body, page } = await client.send(getSvnTree, {
        params: { id },
        query: { ...query, limit: treePage, offset: pageParam },
        signal,
      });
      return { tree: body, size: page?.size ?? 0, offset: pageParam };
    },
    getNextPageParam: ({ size, offset }) => (offset + treePage < size ? offset + treePage : undefined),
    ...freshness(revision),
  });

const addressOfFile = (id: number, path: string, revision: number) =>
  `/svn-content/${id}/file?path=${encodeURIComponent(`/${path}`)}&revision=${revision}`;
export const inlineAddress = (id: number, path: string, revision: number) =>
  `${addressOfFile(id, path, revision)}&inline=1`;
export const downloadAddress = addressOfFile;

/** The text of a file; null where it is none. */
export const useFileText = (id: number, path: string, revision: number | undefined, isWanted: boolean) =>
  useQuery({
    queryKey: contentKey(id, 'file', path, revision ?? null),
    enabled: isWanted && revision !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * minutes,
    ...notKept,
    queryFn: async ({ signal }): Promise<string | null> => {
      const answer = await client.bytes(inlineAddress(id, path, revision ?? 0), { signal });
      const isText = answer.headers.get('content-type')?.startsWith('text/plain') === true;
      return isText ? answer.text() : null;
    },
  });

export const useLog = (id: number, path: string, from: number | undefined) =>
  useInfiniteQuery({
    queryKey: contentKey(id, 'log', path, from ?? null),
    initialPageParam: from,
    queryFn: ({ signal, pageParam }) =>
      client.call(getSvnLog, {
        params: { id },
        query: { path: `/${path}`, limit: 30, ...(pageParam === undefined ? {} : { from: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
    ...freshness(from),
  });

/** The last revisions at a path, to choose one of them. */
export const useLastRevisions = (id: number, path: string) =>
  useQuery({
    queryKey: contentKey(id, 'last', path),
    queryFn: async ({ signal }) =>
      (await client.call(getSvnLog, { params: { id }, query: { path: `/${path}`, limit: 30 }, signal }))
        .revisions,
  });

export const useRevision = (id: number, revision: number) =>
  useQuery({
    queryKey: contentKey(id, 'revision', revision),
    queryFn: ({ signal }) => client.call(getSvnRevision, { params: { id, revision }, signal }),
  });

/** The number of the youngest revision. */
export const useYoungest = (id: number) =>
  useQuery({
    queryKey: contentKey(id, 'youngest'),
    queryFn: async ({ signal }) =>
      (await client.call(getSvnTree, { params: { id }, query: { limit: 1 }, signal })).revision,
  });

/** What the server writes where differences are too long for anybody to read. */
const cutMark = '\n\n(The rest is left out: there is too much of it.)\n';

export interface DiffText {
  readonly text: string;
  /** The rest was left out: there is too much of it. */
  readonly isCut: boolean;
}

/** Differences as text: of a whole revision, or of a path between two. */
export const useDiffText = (hrefs: readonly string[] | undefined) =>
  useQuery({
    queryKey: ['svn-diff', hrefs ?? []],
    enabled: hrefs !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * minutes,
    ...notKept,
    queryFn: async ({ signal }): Promise<DiffText> => {
      const texts: string[] = [];
      let isCut = false;
      for (const href of hrefs ?? []) {
        const text = await (await client.bytes(href, { signal })).text();
        const isWhole = !text.endsWith(cutMark);
        isCut ||= !isWhole;
        texts.push(isWhole ? text : text.slice(0, -cutMark.length));
      }
      return { text: texts.join('\n'), isCut };
    },
  });

export const comparisonAddress = (id: number, path: string, from: number, to: number) =>
  `/svn-content/${id}/diff?path=${encodeURIComponent(`/${path}`)}&from=${from}&to=${to}`;

/** Lines that one answer has, and files of more lines are told to that many answers. */
const blamePage = 5000;

export const useBlame = (id: number, path: string, revision: number | undefined) =>
  useQuery({
    queryKey: contentKey(id, 'blame', path, revision ?? null),
    staleTime: revision === undefined ? 0 : Number.POSITIVE_INFINITY,
    gcTime: 5 * minutes,
    ...notKept,
    queryFn: async ({ signal }): Promise<{ revision: number; lines: readonly BlamedLine[] }> => {
      const lines: BlamedLine[] = [];
      for (let offset = 0; ; offset += blamePage) {
        const query = { path: `/${path}`, limit: blamePage, offset };
        const { body, page } = await client.send(getSvnBlame, {
          params: { id },
          query: revision === undefined ? query : { ...query, revision },
          signal,
        });
        lines.push(...body.lines);
        if (offset + blamePage >= (page?.size ?? 0)) return { revision: body.revision, lines };
      }
    },
  });

/** Messages of revisions that changed a file, by their numbers. */
export const useMessagesOf = (id: number, path: string, from: number | undefined) =>
  useQuery({
    queryKey: contentKey(id, 'messages', path, from ?? null),
    enabled: from !== undefined,
    staleTime: 5 * minutes,
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, string>> => {
      const { revisions } = await client.call(getSvnLog, {
        params: { id },
        query: { path: `/${path}`, limit: 100, ...(from === undefined ? {} : { from }) },
        signal,
      });
      return new Map(revisions.map(({ revision, message }) => [revision, message]));
    },
    ...notKept,
  });

export const useFoundFiles = (id: number, words: string, path: string, revision: number | undefined) =>
  useQuery({
    queryKey: contentKey(id, 'files', path, revision ?? null, words),
    enabled: words !== '',
    queryFn: ({ signal }) =>
      client.call(getSvnFiles, {
        params: { id },
        query: { words, path: `/${path}`, ...(revision === undefined ? {} : { revision }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    ...notKept,
  });

/** A text with its references as links, as the platform shows it. */
export const useRendered = (project: string, text: string | undefined, format: 'text' | 'commonmark') =>
  useQuery({
    queryKey: [project, 'rendered', format, text ?? ''],
    enabled: text !== undefined && text !== '',
    staleTime: 5 * minutes,
    ...notKept,
    queryFn: ({ signal }) =>
      client.call(renderText, {
        params: { id: idOfUri(project) },
        body: { text: text ?? '', format },
        signal,
      }),
  });

/** Who committed, by the names that Subversion knows: those that have an account. */
export function useAuthors(names: readonly string[]): ReadonlyMap<string, User> {
  const { user } = useStanding();
  const wanted = [...new Set(names)].filter((name) => name !== '').slice(0, 100);
  const answers = useQueries({
    queries: wanted.map((name) => ({
      queryKey: ['users', 'named', name],
      enabled: user !== null,
      staleTime: 10 * minutes,
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<User | null> => {
        const query = { query: JSON.stringify({ username: name }), limit: 1 };
        const [found] = await client.call(listUsers, { query, signal });
        return found ?? null;
      },
    })),
  });
  return new Map(
    wanted.flatMap((name, index) => {
      const found = answers[index]?.data;
      return found === undefined || found === null ? [] : [[name, found] as const];
    }),
  );
}

export type SvnSettings = BodyOf<typeof putSvn>['settings'];

export async function storeSettings(repository: SvnRepository, settings: SvnSettings): Promise<void> {
  const stored = await client.call(putSvn, { params: { id: repository.id }, body: { settings } });
  keepStored(repositoryKey(repository.id), stored);
  await Promise.all([
    queries.invalidateQueries({ queryKey: [`svn/${repository.id}`, 'access-versions'] }),
    queries.invalidateQueries({ queryKey: [`svn/${repository.id}`, 'content'] }),
  ]);
}

/** What is stored at this moment, to be compared with what was read. */
export const readRepository = (id: number): Promise<SvnRepository> => client.call(getSvn, { params: { id } });

export const useAccessCheck = (
  id: number,
  wish: { text: string; hasDefaults: boolean; username: string; path: string } | undefined,
) =>
  useQuery({
    queryKey: [`svn/${id}`, 'access-check', wish ?? null],
    enabled: wish !== undefined,
    placeholderData: keepPreviousData,
    gcTime: minutes,
    ...notKept,
    queryFn: ({ signal }) =>
      client.call(checkSvnAccessFile, {
        params: { id },
        body: {
          access_file: wish?.text ?? '',
          has_default_permissions: wish?.hasDefaults ?? true,
          ...(wish?.username ? { username: wish.username, path: wish.path } : {}),
        },
        signal,
      }),
  });

export const useTagCheck = (id: number, paths: readonly string[], whitelist: readonly string[]) =>
  useQuery({
    queryKey: [`svn/${id}`, 'tag-check', paths, whitelist],
    placeholderData: keepPreviousData,
    gcTime: minutes,
    ...notKept,
    queryFn: ({ signal }) =>
      client.call(checkSvnImmutableTags, {
        params: { id },
        body: { paths: [...paths], whitelist: [...whitelist] },
        signal,
      }),
  });

export const useAccessVersions = (id: number) =>
  useInfiniteQuery({
    queryKey: [`svn/${id}`, 'access-versions'],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) => {
      const { body, page } = await client.send(listSvnAccessVersions, {
        params: { id },
        query: { limit: 20, offset: pageParam },
        signal,
      });
      return { versions: body, next: pageParam + 20 < (page?.size ?? 0) ? pageParam + 20 : undefined };
    },
    getNextPageParam: ({ next }) => next,
  });

export const useMailSettings = (id: number) =>
  useQuery({
    queryKey: [`svn/${id}`, 'mail'],
    queryFn: ({ signal }) => client.call(getSvnMailSettings, { params: { id }, signal }),
  });

export async function storeMailSettings(id: number, subjectHeader: string): Promise<void> {
  const stored = await client.call(putSvnMailSettings, {
    params: { id },
    body: { subject_header: subjectHeader },
  });
  keepStored([`svn/${id}`, 'mail'], stored);
}

export const useAdministratorGroups = (project: string, isWanted: boolean) =>
  useQuery({
    queryKey: [project, 'svn-administrators'],
    enabled: isWanted,
    queryFn: ({ signal }) => client.call(getSvnAdministrators, { params: { id: idOfUri(project) }, signal }),
  });

/** Who read, wrote and looked, by day. */
export const useStatistics = (id: number, days: number) =>
  useQuery({
    queryKey: contentKey(id, 'statistics', days),
    ...notKept,
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - (days - 1) * 24 * 60 * 60 * 1000).toISOString();
      return client.call(getSvnStatistics, { params: { id }, query: { from }, signal });
    },
  });

/** The groups that are added and taken away, on top of what somebody else has chosen meanwhile. */
export async function storeAdministratorGroups(
  project: string,
  seen: readonly string[],
  wanted: readonly string[],
): Promise<readonly string[]> {
  const params = { id: idOfUri(project) };
  const now = await client.call(getSvnAdministrators, { params });
  const groups = followed(
    now.map(({ id }) => id),
    seen,
    wanted,
  );
  const stored = await client.call(putSvnAdministrators, { params, body: { user_groups: groups } });
  keepStored([project, 'svn-administrators'], stored);
  return groups;
}

export const useGroups = (project: string) =>
  useQuery({
    queryKey: [project, 'groups'],
    queryFn: ({ signal }) => client.call(listUserGroups, { params: { id: idOfUri(project) }, signal }),
  });

/** People whose names begin like this, to choose from. */
export const usePeopleLike = (words: string) =>
  useQuery({
    queryKey: ['users', 'like', words],
    enabled: words.trim().length >= 3,
    placeholderData: keepPreviousData,
    ...notKept,
    queryFn: ({ signal }) => client.call(listUsers, { query: { query: words.trim(), limit: 10 }, signal }),
  });
