import type { DeletedSvn, MinimalUser, SvnRepository } from '@atelier/contract';
import type { Settings } from '../identity/index.ts';
import { formatInstant } from '../kernel/clock.ts';
import { builtInGroups, type Project } from '../projects/index.ts';
import type {
  DeletedRepository,
  ListedRepository,
  Notification,
  Repository,
  RepositorySettings,
} from '../svn/index.ts';
import { presentMinimalProject } from './projects.ts';
import { presentEmbeddedUserGroup } from './user-groups.ts';

/** The address of a repository for Subversion clients: the project as it is spelled, the host in lower case. */
function svnUrl(publicUrl: string, { project, name }: Pick<Repository, 'project' | 'name'>): string {
  const { protocol, host, pathname } = new URL(publicUrl);
  const before = pathname === '/' ? '' : pathname;
  return `${protocol}//${host.toLowerCase()}${before}/svnplugin/${project.shortname}/${name}`;
}

const subResources = ['tree', 'log', 'access_versions', 'mail_settings'];

export const presentMinimalRepository = (publicUrl: string, repository: ListedRepository): SvnRepository => ({
  id: repository.id,
  project: presentMinimalProject(repository.project),
  uri: `svn/${repository.id}`,
  name: repository.name,
  svn_url: svnUrl(publicUrl, repository),
  resources: subResources.map((type) => ({ type, uri: `svn/${repository.id}/${type}` })),
  last_commit: repository.lastCommit && {
    revision: repository.lastCommit.revision,
    author: repository.lastCommit.author,
    date: formatInstant(repository.lastCommit.at),
    message: repository.lastCommit.message,
  },
  is_deletion_pending: repository.deletionDueAt !== null,
  may_administer: repository.mayAdminister,
});

/** Who and what the notifications of a repository name. */
export interface Notified {
  /** Users by id; those who cannot be told are not among them. */
  readonly users: ReadonlyMap<number, MinimalUser>;
  /** Names of the groups that the project defines. */
  readonly groups: ReadonlyMap<number, string>;
  readonly labels: Pick<Settings, 'registered_users_label' | 'authenticated_users_label'>;
}

function presentNotification({ id: projectId }: Project, notification: Notification, notified: Notified) {
  const { users, groups, labels } = notified;
  return {
    user_groups: notification.groups.flatMap((id) => {
      const name = builtInGroups.get(id)?.name ?? groups.get(id);
      return name === undefined ? [] : presentEmbeddedUserGroup({ id, name, projectId }, labels);
    }),
    users: notification.users.flatMap((id) => users.get(id) ?? []),
    emails: [...notification.emails],
    path: notification.path,
  };
}

export function presentRepository(
  publicUrl: string,
  repository: ListedRepository,
  settings: RepositorySettings,
  notified: Notified,
): SvnRepository {
  const { commitRules, immutableTags, accessText, notifications, hasDefaultPermissions } = settings;
  return {
    ...presentMinimalRepository(publicUrl, repository),
    settings: {
      commit_rules: {
        is_reference_mandatory: commitRules.isReferenceMandatory,
        is_commit_message_change_allowed: commitRules.isMessageChangeAllowed,
      },
      immutable_tags: { paths: [...immutableTags.paths], whitelist: [...immutableTags.whitelist] },
      access_file: accessText,
      email_notifications: notifications.map((notification) =>
        presentNotification(repository.project, notification, notified),
      ),
      has_default_permissions: hasDefaultPermissions,
    },
  };
}

export const presentDeletedRepository = ({
  id,
  project,
  name,
  deletedAt,
}: DeletedRepository): DeletedSvn => ({
  id,
  project: presentMinimalProject(project),
  name,
  deleted_on: formatInstant(deletedAt),
  resources: [{ type: 'restore', uri: `deleted_svn/${id}/restore` }],
});
