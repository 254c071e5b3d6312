import Type, { type Static } from '@bundled/typebox';
import { date, defineRoute, idParams, nullable, untrimmed } from './route.ts';

const path = Type.Optional(untrimmed({ description: 'From the root of the repository' }));
/** Subversion numbers no further. */
const lastRevision = 2 ** 31 - 1;
const revision = Type.Optional(
  Type.Integer({ minimum: 0, maximum: lastRevision, description: 'The newest one unless given' }),
);

const lastChange = { revision: Type.Integer(), author: Type.String(), date: nullable(date()) };

export const SvnTree = Type.Object(
  {
    revision: Type.Integer({ description: 'The revision that is shown' }),
    path: Type.String(),
    type: Type.String({ description: 'folder or file' }),
    last_change: Type.Object(lastChange),
    content_href: nullable(
      Type.String({ description: 'Where the bytes of a file are; with `&inline=1` to be shown' }),
    ),
    size: nullable(Type.Integer({ description: 'Bytes of a file' })),
    entries: Type.Array(
      Type.Object({
        name: Type.String(),
        path: Type.String(),
        type: Type.String(),
        size: nullable(Type.Integer()),
        last_change: Type.Object(lastChange),
      }),
    ),
  },
  { $id: 'SvnTree' },
);
export type SvnTree = Static<typeof SvnTree>;

export const getSvnTree = defineRoute({
  method: 'GET',
  path: '/svn/{id}/tree',
  kind: 'protected',
  own: true,
  summary: 'What lies at a path of a repository, as far as its access file lets you see it',
  description:
    'A folder with its entries, or a file with where to read it; of the youngest revision unless `revision` is given.',
  params: idParams,
  query: Type.Object({ path, revision }),
  paging: { default: 100, maximum: 500 },
  response: SvnTree,
});

export const SvnRevision = Type.Object(
  {
    ...lastChange,
    message: Type.String(),
    is_partial: Type.Boolean({
      description: 'Whether something of it is hidden from you or too much to be told',
    }),
    changes: Type.Array(
      Type.Object({
        path: Type.String(),
        action: Type.String({ description: 'A added, D deleted, M changed, R replaced' }),
        type: Type.String(),
        copied_from: nullable(Type.Object({ path: Type.String(), revision: Type.Integer() })),
      }),
    ),
    diff_href: Type.String(),
  },
  { $id: 'SvnRevision' },
);
export type SvnRevision = Static<typeof SvnRevision>;

export const getSvnLog = defineRoute({
  method: 'GET',
  path: '/svn/{id}/log',
  kind: 'protected',
  own: true,
  summary: 'Revisions that changed something at or below a path, the newest first',
  description: 'The next page begins at the revision `next`.',
  params: idParams,
  query: Type.Object({
    path,
    from: Type.Optional(
      Type.Integer({ minimum: 1, maximum: lastRevision, description: 'Begin at this revision' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  }),
  response: Type.Object({ revisions: Type.Array(SvnRevision), next: nullable(Type.Integer()) }),
});

export const getSvnRevision = defineRoute({
  method: 'GET',
  path: '/svn/{id}/revisions/{revision}',
  kind: 'protected',
  own: true,
  summary: 'One revision of a repository',
  description: 'Author, date, message and the changed paths that you may read.',
  params: Type.Object({ id: Type.Integer(), revision: Type.Integer({ minimum: 1, maximum: lastRevision }) }),
  response: SvnRevision,
});

export const SvnBlame = Type.Object(
  {
    revision: Type.Integer({ description: 'The revision that is shown' }),
    lines: Type.Array(
      Type.Object({ number: Type.Integer({ description: 'From 1' }), ...lastChange, text: Type.String() }),
    ),
  },
  { $id: 'SvnBlame' },
);
export type SvnBlame = Static<typeof SvnBlame>;

export const getSvnBlame = defineRoute({
  method: 'GET',
  path: '/svn/{id}/blame',
  kind: 'protected',
  own: true,
  summary: 'Who wrote which line of a file, and in which revision',
  description:
    'A file of more than 5 MB or 100000 lines, or with bytes that are no text, is 400. Lines that came from a path that is hidden from you count as written when they came.',
  params: idParams,
  query: Type.Object({ path, revision }),
  paging: { default: 1000, maximum: 5000 },
  response: SvnBlame,
});

export const getSvnFiles = defineRoute({
  method: 'GET',
  path: '/svn/{id}/files',
  kind: 'protected',
  own: true,
  summary: 'Files below a folder of a repository whose names have some words',
  description:
    'At most 100, those first whose names begin with the last word. Every word is in the path of a file, and one in its name.',
  params: idParams,
  query: Type.Object({
    words: Type.String({ maxLength: 255, description: 'Parts of names' }),
    path,
    revision,
  }),
  response: Type.Object({
    revision: Type.Integer({ description: 'The revision that was looked at' }),
    files: Type.Array(Type.String()),
    is_cut: Type.Boolean({ description: 'Whether there are more' }),
  }),
});

export const svnBrowsingRoutes = [getSvnTree, getSvnLog, getSvnRevision, getSvnBlame, getSvnFiles] as const;
