import * as contract from '@atelier/contract';
import { findAccounts, isUsable } from '../../../identity/index.ts';
import { formatInstant, type Instant, parseInstant } from '../../../kernel/clock.ts';
import { forbidden, invalid, invalidMember, Refusal } from '../../../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../../../kernel/viewer.ts';
import {
  type Notified,
  presentAnonymous,
  presentDeletedRepository,
  presentMinimalRepository,
  presentMinimalUser,
  presentRepository,
  presentUserGroup,
} from '../../../present/index.ts';
import { listUserGroups } from '../../../projects/index.ts';
import {
  changeRepository,
  createRepository,
  DeletedRepositories,
  type ListedRepository,
  listAccessVersions,
  listDeletedRepositories,
  listRepositories,
  type Notification,
  openRepository,
  previewTags,
  readRepository,
  readSvnAdministrators,
  readSvnStatistics,
  tryAccessFile,
} from '../../../svn/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from '../artifacts/index.ts';

/** The name that a list is asked for; undefined: all of them. */
function nameIn(query: string): string | undefined {
  if (query === '') return undefined;
  const { name } = parseQueryObject(query) ?? {};
  if (typeof name !== 'string') throw invalid('parameter "query" must be a JSON object with a "name"');
  return name === '' ? undefined : name;
}

function dayIn(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) throw invalidMember(name, 'Expecting a date, ISO 8601.');
  return instant;
}

async function readStatistics(
  { database, publicUrl }: Services,
  viewer: Viewer,
  { id, from, to }: { id: number; from?: string | undefined; to?: string | undefined },
): Promise<contract.SvnStatistic[]> {
  const span = { from: dayIn('from', from), to: dayIn('to', to) };
  const statistics = await readSvnStatistics(database, viewer, { id, ...span });
  const accounts = await findAccounts(database, [...new Set(statistics.map(({ accountId }) => accountId))]);
  const people = new Map(
    accounts.map((account) => [account.id, presentMinimalUser(publicUrl, viewer, account)]),
  );
  return statistics.map(({ day, accountId, reads, writes, views }) => ({
    ...{ date: day, user: people.get(accountId) ?? presentAnonymous(publicUrl), reads, writes, views },
  }));
}

async function notifiedBy(
  { database, publicUrl, authenticator }: Services,
  viewer: Viewer,
  projectId: number,
  notifications: readonly Notification[],
): Promise<Notified> {
  const accounts = await findAccounts(database, [...new Set(notifications.flatMap(({ users }) => users))]);
  const groups = await listUserGroups(database, viewer, { projectId, withSystemGroups: false });
  return {
    users: new Map(
      accounts
        .filter(({ status }) => isUsable(status))
        .map((account) => [account.id, presentMinimalUser(publicUrl, viewer, account)]),
    ),
    groups: new Map(groups.map(({ id, name }) => [id, name])),
    labels: await authenticator.settings(),
  };
}

/** Revisions that came with an archive are known to the repository alone. */
async function withLastCommit<Seen extends ListedRepository>(
  { svnDeps }: Services,
  viewer: Viewer,
  repository: Seen,
): Promise<Seen> {
  const isKnown = repository.lastCommit !== null || repository.lastCommitAt === null;
  if (isKnown || isAnonymous(viewer) || !(await svnDeps.parts.areThere())) return repository;
  try {
    const view = await openRepository(svnDeps, viewer, repository.id);
    const { entries } = await view.log('/', { from: undefined, limit: 1 });
    const [last] = entries;
    if (last === undefined || last.at === null) return repository;
    const { revision, author, at, message } = last;
    return { ...repository, lastCommit: { revision, author, at, message, accountId: 0 } };
  } catch (error) {
    if (error instanceof Refusal) return repository;
    throw error;
  }
}

/** A repository as the viewer may see it. */
async function show(services: Services, viewer: Viewer, id: number): Promise<contract.SvnRepository> {
  const { database, publicUrl } = services;
  const repository = await withLastCommit(services, viewer, await readRepository(database, viewer, id));
  const { settings, project } = repository;
  if (settings === undefined) return presentMinimalRepository(publicUrl, repository);
  const notified = await notifiedBy(services, viewer, project.id, settings.notifications);
  return presentRepository(publicUrl, repository, settings, notified);
}

function repositoryBindings(services: Services): RouteBinding[] {
  const { database, operations, publicUrl, svnDeps } = services;
  return [
    bind(contract.listProjectSvn, async ({ viewer, params, query: { query = '', limit, offset } }) => {
      const listing = { projectId: params.id, name: nameIn(query), limit, offset };
      const { items, size } = await listRepositories(database, viewer, listing);
      const repositories: contract.SvnRepository[] = [];
      for (const repository of items)
        repositories.push(
          presentMinimalRepository(publicUrl, await withLastCommit(services, viewer, repository)),
        );
      return { body: { repositories }, page: { limit, offset, size } };
    }),
    bind(contract.createSvn, async ({ viewer, body }) => {
      const { layout, commit_rules: rules, immutable_tags: tags, ...others } = body.settings ?? {};
      const id = await createRepository(svnDeps, viewer, {
        projectId: body.project_id,
        name: body.name,
        layout: layout ?? [],
        settings: {
          commitRules: rules ? commitRulesIn(rules) : undefined,
          immutableTags: tags ?? undefined,
          accessText: others.access_file ?? undefined,
          notifications: others.email_notifications?.map(notificationIn),
          hasDefaultPermissions: others.has_default_permissions ?? undefined,
        },
      });
      return { body: await show(services, viewer, id) };
    }),
    bind(contract.getSvn, async ({ viewer, params }) => ({ body: await show(services, viewer, params.id) })),
    bind(contract.putSvn, async ({ viewer, params: { id }, body: { settings } }) => {
      await changeRepository(svnDeps, viewer, {
        id,
        settings: {
          commitRules: commitRulesIn(settings.commit_rules),
          immutableTags: settings.immutable_tags,
          accessText: settings.access_file,
          notifications: settings.email_notifications.map(notificationIn),
          hasDefaultPermissions: settings.has_default_permissions ?? undefined,
        },
      });
      return { body: await show(services, viewer, id) };
    }),
    bind(contract.deleteSvn, async ({ viewer, params }) => {
      await svnDeps.parts.require();
      await operations.requestDeletion(viewer, { id: params.id });
      return {};
    }),
    bind(contract.undoSvnDeletion, async ({ viewer, params }) => {
      await operations.undoDeletion(viewer, { id: params.id });
      return {};
    }),
  ];
}

const commitRulesIn = (rules: {
  is_reference_mandatory: boolean;
  is_commit_message_change_allowed: boolean;
}) => ({
  isReferenceMandatory: rules.is_reference_mandatory,
  isMessageChangeAllowed: rules.is_commit_message_change_allowed,
});

const idIn = <Id extends number | string>(given: Id | { id: Id }): Id =>
  typeof given === 'object' ? given.id : given;

/** Answers show people and groups whole; what was read may be sent back. */
const notificationIn = ({ path, emails, users, user_groups }: contract.GivenNotification) => ({
  path,
  emails,
  users: users.map((user) => idIn(user)),
  user_groups: user_groups.map((group) => idIn(group)),
});

function administrationBindings(services: Services): RouteBinding[] {
  const { database, operations, publicUrl, authenticator, config, svnDeps } = services;
  const showAdministrators = async (viewer: Viewer, projectId: number) => {
    const settings = await authenticator.settings();
    const groups = await readSvnAdministrators(database, viewer, projectId);
    return groups.map((group) => presentUserGroup(group, settings));
  };
  const showMailSettings = async (viewer: Viewer, id: number) => {
    const { settings } = await readRepository(database, viewer, id);
    if (settings === undefined) throw forbidden('Only those who administer the repository may see this.');
    return { subject_header: settings.subjectHeader };
  };
  return [
    bind(contract.listDeletedSvn, async ({ viewer, query }) =>
      pageOf(query, await listDeletedRepositories(database, viewer, query), presentDeletedRepository),
    ),
    bind(contract.restoreSvn, async ({ viewer, params }) => {
      await new DeletedRepositories(svnDeps, config.dataFolder).restore(viewer, params.id);
      return { body: await show(services, viewer, params.id) };
    }),
    bind(contract.listSvnAccessVersions, async ({ viewer, params, query: { limit, offset } }) => {
      const { items, size } = await listAccessVersions(database, viewer, { id: params.id, limit, offset });
      const accounts = await findAccounts(database, [...new Set(items.map(({ createdBy }) => createdBy))]);
      const userOf = (id: number) => accounts.find((account) => account.id === id);
      const body = items.map(({ version, createdAt, createdBy, content }) => {
        const account = userOf(createdBy);
        const user = account === undefined ? null : presentMinimalUser(publicUrl, viewer, account);
        return { version, date: formatInstant(createdAt), user, access_file: content };
      });
      return { body, page: { limit, offset, size } };
    }),
    bind(contract.checkSvnAccessFile, async ({ viewer, params: { id }, body }) => {
      const { faults, warnings, effective, sight, right } = await tryAccessFile(svnDeps, viewer, {
        id,
        text: body.access_file,
        hasDefaultPermissions: body.has_default_permissions ?? undefined,
        login: body.username ?? undefined,
        path: body.path ?? undefined,
      });
      const present = ({ line, words }: { line: number; words: string }) => ({ line, text: words });
      const answer: contract.SvnAccessCheck = {
        ...{ faults: faults.map(present), warnings: warnings.map(present), effective },
        sight: sight.map(({ path, name, right }) => ({ path, group_or_user: name, right })),
        right,
      };
      return { body: answer };
    }),
    bind(contract.checkSvnImmutableTags, async ({ viewer, params: { id }, body }) => {
      const { sealed, open } = await previewTags(svnDeps, viewer, { id, tags: body });
      return { body: { protected: sealed, allowed: open } };
    }),
    bind(contract.getSvnStatistics, async ({ viewer, params: { id }, query }) => ({
      body: await readStatistics(services, viewer, { id, ...query }),
    })),
    bind(contract.getSvnMailSettings, async ({ viewer, params }) => ({
      body: await showMailSettings(viewer, params.id),
    })),
    bind(contract.putSvnMailSettings, async ({ viewer, params: { id }, body }) => {
      await operations.setSubjectHeader(viewer, { id, text: body.subject_header });
      return { body: await showMailSettings(viewer, id) };
    }),
    bind(contract.getSvnAdministrators, async ({ viewer, params }) => ({
      body: await showAdministrators(viewer, params.id),
    })),
    bind(contract.putSvnAdministrators, async ({ viewer, params: { id }, body }) => {
      await operations.setSvnAdministrators(viewer, { projectId: id, groups: body.user_groups });
      return { body: await showAdministrators(viewer, id) };
    }),
  ];
}

export const svnBindings = (services: Services): RouteBinding[] => [
  ...repositoryBindings(services),
  ...administrationBindings(services),
];
