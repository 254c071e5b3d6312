import type { RepositorySettings } from '../model.ts';

/* What the history of a project tells of settings. */

export const describeRules = ({ commitRules }: RepositorySettings) =>
  `Mandatory reference: ${commitRules.isReferenceMandatory}\nCommit message change: ${commitRules.isMessageChangeAllowed}`;
export const describeTags = ({ immutableTags: { paths, whitelist } }: RepositorySettings) =>
  `Immutable tags: ${paths.join(', ')}\nWhitelist: ${whitelist.join(', ')}`;
export const describeNotifications = ({ notifications }: RepositorySettings) =>
  notifications
    .map(({ path, emails, users, groups }) =>
      [
        `Notification: ${path}`,
        ...emails,
        ...users.map((id) => `user ${id}`),
        ...groups.map((id) => `group ${id}`),
      ].join(', '),
    )
    .join('\n');
