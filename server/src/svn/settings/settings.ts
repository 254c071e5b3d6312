import type { Project } from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import { checkAccessText, readGeneratedAccess } from '../access/index.ts';
import type { ImmutableTags } from '../immutable-tags.ts';
import { type CommitRules, defaultSettings, type RepositorySettings, trimmedTags } from '../model.ts';
import { checkNotifications, type NotificationInput } from '../notifications.ts';
import type { SvnWorkspace } from '../workspace/index.ts';

/** Settings as clients write them. */
export interface SettingsInput {
  readonly commitRules?: CommitRules | undefined;
  readonly immutableTags?: ImmutableTags | undefined;
  readonly accessText?: string | undefined;
  readonly notifications?: readonly NotificationInput[] | undefined;
  readonly hasDefaultPermissions?: boolean | undefined;
}

/** Checks settings, the access file by the program that Subversion has for it, and gives them as they are kept. */
export async function checkSettings(
  reader: Reader,
  svnWorkspace: SvnWorkspace,
  project: Project,
  input: SettingsInput,
): Promise<RepositorySettings> {
  const notifications = await checkNotifications(reader, project.id, input.notifications ?? []);
  const hasDefaultPermissions = input.hasDefaultPermissions ?? true;
  const generated = await readGeneratedAccess(reader, project, hasDefaultPermissions);
  return {
    commitRules: input.commitRules ?? defaultSettings.commitRules,
    immutableTags: trimmedTags(input.immutableTags ?? defaultSettings.immutableTags),
    accessText: await checkAccessText(svnWorkspace, generated, input.accessText ?? ''),
    notifications,
    hasDefaultPermissions,
  };
}
