import type { Migration } from './migration.ts';

/** What waits in the outbox is named as `kernel/events.ts` names it; commits say in which project they are. */
export const eventKinds: Migration = {
  id: 23,
  name: 'event kinds',
  statements: () => [
    `update outbox set payload = replace(payload, '}', ',"projectId":' || coalesce((select max(project_id)
      from svn_repository where payload like '{"repositoryId":' || svn_repository.id || ',%'), 0) || ',"by":0}')
      where kind = 'svn-commit'`,
    ...Object.entries({
      'artifact-changed': 'artifact.updated',
      'svn-commit': 'svn.commit',
      'access-key-created': 'access_key.created',
      'address-replaced': 'account.email_changed',
    }).map(([before, after]) => `update outbox set kind = '${after}' where kind = '${before}'`),
  ],
};
