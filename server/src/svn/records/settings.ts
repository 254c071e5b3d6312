import { invalidMember } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { recordInHistory } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { checkImmutableTags, type RepositorySettings } from '../model.ts';
import { replaceNotifications } from '../notifications.ts';
import { requireOwnRepository } from '../policy.ts';
import { settingColumns, settingsOf } from '../store.ts';
import { saveAccessVersion } from './access-versions.ts';
import { repositoryChanged } from './changed.ts';
import { describeNotifications, describeRules, describeTags } from './describe.ts';

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/** What the history of the project tells of a change of settings: an entry for each part. */
function changedParts(before: RepositorySettings, after: RepositorySettings): Map<string, string> {
  const parts = new Map<string, string>();
  if (!isSame(before.commitRules, after.commitRules)) parts.set('hook_update', describeRules(after));
  if (!isSame(before.immutableTags, after.immutableTags))
    parts.set('immutable_tags_update', describeTags(after));
  if (before.accessText !== after.accessText || before.hasDefaultPermissions !== after.hasDefaultPermissions)
    parts.set(
      'access_file_update',
      `Default permissions: ${after.hasDefaultPermissions}\nAccess file: ${after.accessText}`,
    );
  if (!isSame(before.notifications, after.notifications))
    parts.set('notification_create', describeNotifications(after));
  return parts;
}

export interface SettingsChange {
  readonly id: number;
  readonly settings: RepositorySettings;
}

/** Stores settings, all or nothing; what is as it was is not written. */
export async function storeRepositorySettings(
  tx: Transaction,
  viewer: Viewer,
  { id, settings }: SettingsChange,
): Promise<void> {
  await tx.lock(tx.sql.selectFrom('svn_repository').select('id').where('id', '=', id));
  const { row, project } = await requireOwnRepository(tx, viewer, id);
  checkImmutableTags(settings.immutableTags);
  const parts = changedParts(await settingsOf(tx, row), settings);
  if (parts.size === 0) return;
  await tx.run(tx.sql.updateTable('svn_repository').set(settingColumns(settings)).where('id', '=', id));
  if (parts.has('access_file_update')) {
    await saveAccessVersion(tx, viewer, id, settings.accessText);
    await tx.run(tx.sql.updateTable('svn_repository').set({ has_faulty_access: 0 }).where('id', '=', id));
    // Who sees what of a commit on artifacts hangs on it.
    await tx.touch('structure');
  }
  await repositoryChanged(tx, viewer, row);
  if (parts.has('notification_create')) await replaceNotifications(tx, id, settings.notifications);
  for (const [part, words] of parts)
    await recordInHistory(tx, viewer, project.id, {
      event: `svn_multi_repository_${part}`,
      subject: `Repository: ${row.name}\n${words}`,
    });
}

const longestHeader = 64;

/** Sets what stands in front of the subject of every mail about commits. */
export async function setSubjectHeader(
  tx: Transaction,
  viewer: Viewer,
  { id, text }: { readonly id: number; readonly text: string },
): Promise<void> {
  const { row } = await requireOwnRepository(tx, viewer, id);
  if ([...text].length > longestHeader || /\p{Cc}/u.test(text))
    throw invalidMember('subject_header', `It is one line of at most ${longestHeader} characters.`);
  await tx.run(tx.sql.updateTable('svn_repository').set({ subject_header: text }).where('id', '=', id));
  await repositoryChanged(tx, viewer, row);
}
