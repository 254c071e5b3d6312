import type { Migration } from '../migrate.ts';

/** What waits in the outbox is named as `kernel/events.ts` names it. */
export const eventKinds: Migration = {
  id: 23,
  name: 'event kinds',
  statements: () =>
    Object.entries({
      'artifact-changed': 'artifact.updated',
      'svn-commit': 'svn.commit',
      'access-key-created': 'access_key.created',
      'address-replaced': 'account.email_changed',
    }).map(([before, after]) => `update outbox set kind = '${after}' where kind = '${before}'`),
};
