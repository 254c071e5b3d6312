import Type, { type Static } from '@bundled/typebox';
import { MinimalProject, MinimalUserGroup } from './projects.ts';
import { date, defineRoute, idParams, nullable, untrimmed } from './route.ts';
import { MinimalUser } from './users.ts';

const CommitRules = Type.Object({
  is_reference_mandatory: Type.Boolean({ description: 'Every commit message names an artifact or the like' }),
  is_commit_message_change_allowed: Type.Boolean(),
});

const ImmutableTags = Type.Object({
  paths: Type.Array(Type.String(), { description: 'Protected folders; * stands for a part of one name' }),
  whitelist: Type.Array(Type.String(), { description: 'Folders in which tags may be made nevertheless' }),
});

const accessFile = untrimmed({
  'x-mayBeEmpty': true,
  description: 'What the project adds to the access file that the platform writes',
});

const GivenNotification = Type.Object({
  path: untrimmed({ 'x-mayBeEmpty': true, description: 'A folder; * stands for one name' }),
  emails: Type.Array(Type.String()),
  users: Type.Array(Type.Union([Type.Integer(), Type.Object({ id: Type.Integer() })]), {
    description: 'Ids, or objects with an `id`, as answers have them',
  }),
  user_groups: Type.Array(Type.Union([Type.String(), Type.Object({ id: Type.String() })]), {
    description: 'Ids, or objects with an `id`, as answers have them',
  }),
});
export type GivenNotification = Static<typeof GivenNotification>;

const resources = Type.Array(Type.Object({ type: Type.String(), uri: Type.String() }));

const MinimalRepository = Type.Object(
  {
    id: Type.Integer(),
    project: MinimalProject,
    uri: Type.String(),
    name: Type.String(),
    svn_url: Type.String({ description: 'Where Subversion clients find it' }),
    resources,
    last_commit: nullable(
      Type.Object(
        {
          revision: Type.Integer(),
          author: Type.String(),
          date: date(),
          message: Type.String({ description: 'Empty where something of the commit is hidden' }),
        },
        { description: 'The last one that the caller may know of' },
      ),
    ),
    is_deletion_pending: Type.Boolean({ description: 'Whether it waits for its deletion, and can be kept' }),
    may_administer: Type.Boolean({ description: 'Whether the caller administers it' }),
  },
  { $id: 'MinimalSvnRepository' },
);

export const SvnRepository = Type.Object(
  {
    ...MinimalRepository.properties,
    settings: Type.Optional(
      Type.Object(
        {
          commit_rules: CommitRules,
          immutable_tags: ImmutableTags,
          access_file: Type.String(),
          email_notifications: Type.Array(
            Type.Object({
              user_groups: Type.Array(MinimalUserGroup),
              users: Type.Array(MinimalUser),
              emails: Type.Array(Type.String()),
              path: Type.String(),
            }),
          ),
          has_default_permissions: Type.Boolean(),
        },
        { description: 'For those who administer the repositories of the project' },
      ),
    ),
  },
  { $id: 'SvnRepository' },
);
export type SvnRepository = Static<typeof SvnRepository>;

export const listProjectSvn = defineRoute({
  method: 'GET',
  path: '/projects/{id}/svn',
  kind: 'hybrid',
  summary: 'Subversion repositories of a project, by name',
  description: '`query` is `{"name": "lamp"}` for the one with that name.',
  params: idParams,
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'JSON object: {"name": "the whole name"}' })),
  }),
  paging: { default: 10, maximum: 50 },
  response: Type.Object({ repositories: Type.Array(MinimalRepository) }),
});

export const createSvn = defineRoute({
  method: 'POST',
  path: '/svn',
  kind: 'protected',
  summary: 'Create a Subversion repository',
  description:
    'The repository is there when this answers. A name has 3 to 255 characters, letters, digits, `.`, `_` and `-`, and a letter first: another one is 409, as one that the project has already. Without Subversion on the server: 503.',
  example: {
    body: {
      project_id: 101,
      name: 'tools',
      settings: {
        layout: ['/trunk', '/tags', '/branches'],
        commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: false },
      },
    },
  },
  body: Type.Object({
    project_id: Type.Integer(),
    name: Type.String(),
    settings: Type.Optional(
      nullable(
        Type.Object({
          layout: Type.Optional(
            nullable(Type.Array(Type.String(), { description: 'Folders of a first commit' })),
          ),
          commit_rules: Type.Optional(nullable(CommitRules)),
          immutable_tags: Type.Optional(nullable(ImmutableTags)),
          access_file: Type.Optional(nullable(accessFile)),
          email_notifications: Type.Optional(nullable(Type.Array(GivenNotification))),
          has_default_permissions: Type.Optional(nullable(Type.Boolean())),
        }),
      ),
    ),
  }),
  status: 201,
  refusals: [404, 409, 503],
  response: SvnRepository,
});

export const getSvn = defineRoute({
  method: 'GET',
  path: '/svn/{id}',
  kind: 'hybrid',
  summary: 'A Subversion repository, with its settings for those who administer it',
  description: 'Settings are told to project administrators and to the groups that administer repositories.',
  params: idParams,
  response: SvnRepository,
});

export const putSvn = defineRoute({
  method: 'PUT',
  path: '/svn/{id}',
  kind: 'protected',
  summary: 'Change the settings of a Subversion repository',
  description: 'All settings are sent every time; `has_default_permissions` is true unless false is sent.',
  example: {
    params: { id: 1 },
    body: {
      settings: {
        commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: true },
        immutable_tags: { paths: ['/tags'], whitelist: ['/tags/draft'] },
        access_file: '[/trunk]\n@keepers = rw\n',
        email_notifications: [
          { path: '/trunk', emails: ['coast@example.org'], users: [102], user_groups: ['101_3'] },
        ],
      },
    },
  },
  params: idParams,
  body: Type.Object({
    settings: Type.Object({
      commit_rules: CommitRules,
      immutable_tags: ImmutableTags,
      access_file: accessFile,
      email_notifications: Type.Array(GivenNotification),
      has_default_permissions: Type.Optional(nullable(Type.Boolean())),
    }),
  }),
  bareMember: 'settings',
  response: SvnRepository,
});

export const deleteSvn = defineRoute({
  method: 'DELETE',
  path: '/svn/{id}',
  kind: 'protected',
  summary: 'Delete a Subversion repository, after a time in which that can be undone',
  description:
    'For those who administer it. It can be kept by `DELETE /svn/{id}/deletion` until then, and site administrators bring it back afterwards.',
  params: idParams,
  status: 202,
});

export const undoSvnDeletion = defineRoute({
  method: 'DELETE',
  path: '/svn/{id}/deletion',
  kind: 'protected',
  own: true,
  summary: 'Keep a Subversion repository that waits for its deletion',
  description: 'For those who administer it.',
  params: idParams,
});

export const DeletedSvn = Type.Object(
  {
    id: Type.Integer(),
    project: MinimalProject,
    name: Type.String(),
    deleted_on: date(),
    resources,
  },
  { $id: 'DeletedSvnRepository' },
);
export type DeletedSvn = Static<typeof DeletedSvn>;

export const listDeletedSvn = defineRoute({
  method: 'GET',
  path: '/deleted_svn',
  kind: 'protected',
  own: true,
  summary: 'Deleted Subversion repositories that can be brought back, for site administrators',
  description: '`POST /deleted_svn/{id}/restore` brings one back.',
  paging: { default: 10, maximum: 50 },
  response: Type.Array(DeletedSvn),
});

export const restoreSvn = defineRoute({
  method: 'POST',
  path: '/deleted_svn/{id}/restore',
  kind: 'protected',
  own: true,
  summary: 'Bring back a deleted Subversion repository, for site administrators',
  description: 'With all revisions and settings.',
  params: idParams,
  response: SvnRepository,
});

export const listSvnAccessVersions = defineRoute({
  method: 'GET',
  path: '/svn/{id}/access_versions',
  kind: 'protected',
  own: true,
  summary: 'Every access file that was saved for a repository, the current one first',
  description: 'For those who administer the repository: who saved which text, and when.',
  params: idParams,
  paging: { default: 10, maximum: 50 },
  response: Type.Array(
    Type.Object({
      version: Type.Integer(),
      date: date(),
      user: nullable(MinimalUser),
      access_file: Type.String(),
    }),
  ),
});

const AccessRemark = Type.Object({ line: Type.Integer(), text: Type.String() });

export const SvnAccessCheck = Type.Object(
  {
    faults: Type.Array(AccessRemark, { description: 'Why it would be refused; lines count from 1' }),
    warnings: Type.Array(AccessRemark, { description: 'What would be left out of it' }),
    effective: Type.String({
      description:
        'The file that Subversion would read; what the platform writes alone where there are faults',
    }),
    sight: Type.Array(
      Type.Object({ path: Type.String(), group_or_user: Type.String(), right: Type.String() }),
      { description: 'Every line of it: who gets what where' },
    ),
    right: nullable(Type.String({ description: 'What `username` may do at `path`: `rw`, `r`, or nothing' })),
  },
  { $id: 'SvnAccessCheck' },
);
export type SvnAccessCheck = Static<typeof SvnAccessCheck>;

export const checkSvnAccessFile = defineRoute({
  method: 'POST',
  path: '/svn/{id}/access_file_checks',
  kind: 'protected',
  own: true,
  summary: 'Tell what an access file would mean, without keeping it',
  description: 'For those who administer the repository. With `username`, also what they may do at `path`.',
  example: {
    params: { id: 1 },
    body: { access_file: '[/trunk]\n@keepers = rw\n', username: 'alice', path: '/trunk' },
  },
  params: idParams,
  body: Type.Object({
    access_file: accessFile,
    has_default_permissions: Type.Optional(
      nullable(Type.Boolean({ description: 'As it is set unless given' })),
    ),
    username: Type.Optional(nullable(Type.String())),
    path: Type.Optional(nullable(untrimmed({ description: 'The root unless given' }))),
  }),
  response: SvnAccessCheck,
});

export const checkSvnImmutableTags = defineRoute({
  method: 'POST',
  path: '/svn/{id}/immutable_tag_checks',
  kind: 'protected',
  own: true,
  summary: 'Tell which folders immutable tags would protect, without keeping them',
  description:
    'For those who administer the repository; of its youngest revision, 10000 folders at the most.',
  example: { params: { id: 1 }, body: { paths: ['/tags'], whitelist: ['/tags/draft'] } },
  params: idParams,
  body: ImmutableTags,
  response: Type.Object({
    protected: Type.Array(Type.String(), {
      description: 'Folders in which nothing may be added, changed or deleted',
    }),
    allowed: Type.Array(Type.String(), {
      description: 'Protected folders in which new entries may be made, and nothing else',
    }),
  }),
});

const MailSettings = Type.Object({
  subject_header: Type.String({
    description: 'In front of the subject of every mail, at most 64 characters',
    'x-mayBeEmpty': true,
  }),
});

export const getSvnMailSettings = defineRoute({
  method: 'GET',
  path: '/svn/{id}/mail_settings',
  kind: 'protected',
  own: true,
  summary: 'How mails about commits look',
  description: 'For those who administer the repository.',
  params: idParams,
  response: MailSettings,
});

export const putSvnMailSettings = defineRoute({
  method: 'PUT',
  path: '/svn/{id}/mail_settings',
  kind: 'protected',
  own: true,
  summary: 'Change how mails about commits look',
  description: 'For those who administer the repository. An empty text puts nothing in front.',
  example: { params: { id: 1 }, body: { subject_header: '[lamp]' } },
  params: idParams,
  body: MailSettings,
  response: MailSettings,
});

export const getSvnAdministrators = defineRoute({
  method: 'GET',
  path: '/projects/{id}/svn_administrators',
  kind: 'protected',
  own: true,
  summary: 'User groups that administer the Subversion repositories of a project, besides its administrators',
  description: 'For project administrators.',
  params: idParams,
  response: Type.Array(MinimalUserGroup),
});

export const putSvnAdministrators = defineRoute({
  method: 'PUT',
  path: '/projects/{id}/svn_administrators',
  kind: 'protected',
  own: true,
  summary: 'Choose the user groups that administer the Subversion repositories of a project',
  description: 'For project administrators. Groups that are not named no longer do.',
  example: { params: { id: 101 }, body: { user_groups: ['101'] } },
  params: idParams,
  body: Type.Object({ user_groups: Type.Array(Type.String()) }),
  response: Type.Array(MinimalUserGroup),
});

export const SvnStatistic = Type.Object(
  {
    date: Type.String({ description: 'A day, such as 2026-11-16' }),
    user: MinimalUser,
    reads: Type.Integer({ description: 'Checkouts, updates, logs and the like by Subversion' }),
    writes: Type.Integer({ description: 'Commits' }),
    views: Type.Integer({
      description: 'Folders, files, logs and differences that were looked at by pages and the API',
    }),
  },
  { $id: 'SvnStatistic' },
);
export type SvnStatistic = Static<typeof SvnStatistic>;

export const getSvnStatistics = defineRoute({
  method: 'GET',
  path: '/svn/{id}/statistics',
  kind: 'protected',
  own: true,
  summary: 'Who read, wrote and looked at a repository, by day, for those who administer it',
  description: 'The last day first; without `from` and `to` the last thirty days, and at most 366.',
  params: idParams,
  query: Type.Object({
    from: Type.Optional(Type.String({ description: 'ISO 8601; the first day' })),
    to: Type.Optional(Type.String({ description: 'ISO 8601; the last day' })),
  }),
  response: Type.Array(SvnStatistic),
});

export const svnRoutes = [
  listProjectSvn,
  createSvn,
  getSvn,
  putSvn,
  deleteSvn,
  undoSvnDeletion,
  listDeletedSvn,
  restoreSvn,
  listSvnAccessVersions,
  checkSvnAccessFile,
  checkSvnImmutableTags,
  getSvnStatistics,
  getSvnMailSettings,
  putSvnMailSettings,
  getSvnAdministrators,
  putSvnAdministrators,
] as const;
