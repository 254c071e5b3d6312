import Type, { type Static } from '@bundled/typebox';
import { choice, date, defineRoute, idParams, nullable } from './route.ts';

export const ImportWarning = Type.Object(
  {
    code: Type.String({ description: 'Stable, for programs' }),
    place: Type.String({ description: 'Where in the archive: a path of elements with their ids, or a file' }),
    line: Type.Integer({ description: 'The line on which the first of its kind is' }),
    text: Type.String(),
    count: Type.Integer({ description: 'How many there are of its kind; the like ones are told together' }),
  },
  { $id: 'ImportWarning' },
);

/** What a list of imports tells of each. */
const outcome = {
  project: Type.Object({ id: Type.Integer(), shortname: Type.String() }),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'How many users, groups, trackers, artifacts, changesets and files were created',
  }),
  ids_file: nullable(Type.String({ description: 'A file of the server with all ids, old and new' })),
  warnings: Type.Array(ImportWarning),
  warning_count: Type.Integer({ description: 'All warnings; the first kinds of them are listed' }),
};

export const ImportOutcome = Type.Object(outcome, { $id: 'ImportOutcome' });

export const ImportReport = Type.Object(
  {
    ...outcome,
    users: Type.Array(
      Type.Object({
        username: Type.String({ description: 'In the archive' }),
        account: Type.String({ description: 'Here' }),
        id: Type.Integer(),
        is_created: Type.Boolean(),
      }),
    ),
    ids: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()), {
      description:
        'What became of the ids of groups, trackers, fields, values and, of small archives, artifacts',
    }),
  },
  { $id: 'ImportReport' },
);
export type ImportReport = Static<typeof ImportReport>;

const facts = {
  id: Type.Integer(),
  uri: Type.String(),
  file_name: Type.String(),
  state: choice(['uploading', 'waiting', 'running', 'done', 'failed']),
  progress: nullable(
    Type.Object({
      stage: Type.String(),
      done: Type.Integer(),
      total: Type.Integer({ description: '0 where it is not known' }),
    }),
  ),
  project: nullable(Type.Object({ id: Type.Integer(), uri: Type.String() })),
  fault: nullable(Type.String({ description: 'Why it failed; nothing of it stayed' })),
  is_cancelled: Type.Boolean({
    description: 'Somebody cancelled it; it fails as soon as what it wrote is removed',
  }),
  upload_href: nullable(Type.String({ description: 'Where the archive is uploaded by tus' })),
  created_on: date(),
};

export const ProjectImport = Type.Object(
  { ...facts, report: nullable(ImportReport) },
  { $id: 'ProjectImport' },
);
export type ProjectImport = Static<typeof ProjectImport>;

export const ListedProjectImport = Type.Object(
  { ...facts, report: nullable(ImportOutcome) },
  { $id: 'ListedProjectImport' },
);
export type ListedProjectImport = Static<typeof ListedProjectImport>;

export const createProjectImport = defineRoute({
  method: 'POST',
  path: '/project_imports',
  kind: 'protected',
  own: true,
  summary: 'Import a project from an archive, for site administrators',
  description:
    'The archive, a zip file, is then uploaded to upload_href by tus within 4 hours. The import follows by itself.',
  example: { body: { file_name: 'project.zip', file_size: 1048576, automap: 'no-email,create:A' } },
  argument: 'project_import',
  body: Type.Object({
    file_name: Type.String(),
    file_size: Type.Integer({ minimum: 0 }),
    automap: Type.Optional(Type.String({ description: 'no-email,create:A (or create:R, create:S)' })),
    user_map: Type.Optional(
      Type.String({ description: 'CSV; without it and without automap, user_map.csv of the archive' }),
    ),
    project: Type.Optional(Type.String({ description: 'Short name or id of a project to import into' })),
    name: Type.Optional(Type.String({ description: 'Another short name for the new project' })),
    is_template: Type.Optional(Type.Boolean({ description: 'The new project is a template' })),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only check; the report tells what would happen' })),
  }),
  status: 201,
  response: ProjectImport,
});

export const listProjectImports = defineRoute({
  method: 'GET',
  path: '/project_imports',
  kind: 'protected',
  own: true,
  summary: 'Imports of projects, the last one first: all for site administrators, their own for others',
  description: 'What became of people and ids is told by each import itself.',
  paging: { default: 10, maximum: 50 },
  response: Type.Array(ListedProjectImport),
});

export const getProjectImport = defineRoute({
  method: 'GET',
  path: '/project_imports/{id}',
  kind: 'protected',
  own: true,
  summary: 'How far an import is and what came of it, for site administrators and whoever asked for it',
  description:
    'While it runs, how far it is; when it is done, what was created, mapped and left out, with the old and new ids; when it failed, why.',
  params: idParams,
  response: ProjectImport,
});

export const cancelProjectImport = defineRoute({
  method: 'POST',
  path: '/project_imports/{id}/cancellation',
  kind: 'protected',
  own: true,
  summary: 'Let an import come to nothing, for site administrators and whoever asked for it',
  description:
    'It stops within a second or two, whatever it has written is removed, and its state is then `failed`. 409 where it is over already.',
  params: idParams,
  response: ProjectImport,
});

export const getProjectArchive = defineRoute({
  method: 'GET',
  path: '/projects/{id}/archive',
  kind: 'protected',
  own: true,
  summary: 'Where a project can be downloaded as an archive',
  description:
    'Project administrators get its structure; site administrators also all that is in it, people and files included.',
  params: idParams,
  response: Type.Array(Type.Object({ mode: choice(['structure', 'all']), download_href: Type.String() })),
});

export const projectImportRoutes = [
  createProjectImport,
  listProjectImports,
  getProjectImport,
  cancelProjectImport,
  getProjectArchive,
] as const;
