/*
 * All changes of the schema that there ever were, in their order. A new one is one file here and one line below; what was released is
 * never changed again. `migration.ts` says what a migration is and what it may use, so that one text serves every engine.
 *
 * `storage/migrate.ts` applies them, in one transaction under a lock.
 */

import { foundation } from './0001-foundation.ts';
import { trackers } from './0002-trackers.ts';
import { files } from './0003-files.ts';
import { workflow } from './0004-workflow.ts';
import { administration } from './0005-administration.ts';
import { deletion } from './0006-deletion.ts';
import { archives } from './0007-archives.ts';
import { archivedSettings } from './0008-archived-settings.ts';
import { search } from './0009-search.ts';
import { subversion } from './0010-subversion.ts';
import { notify } from './0011-notify.ts';
import { reports } from './0012-reports.ts';
import { crosstracker } from './0013-crosstracker.ts';
import { spans } from './0014-spans.ts';
import { waiting } from './0015-waiting.ts';
import { sumsByTrackers } from './0016-sums-by-trackers.ts';
import { customLinks } from './0017-custom-links.ts';
import { avatars } from './0018-avatars.ts';
import { heldJobs } from './0019-held-jobs.ts';
import { linkedTrackers } from './0020-linked-trackers.ts';
import { deletedProjects } from './0021-deleted-projects.ts';
import { archiveNumbers } from './0022-archive-numbers.ts';
import { eventKinds } from './0023-event-kinds.ts';
import { favorites } from './0024-favorites.ts';
import { watching } from './0025-watching.ts';
import { passwordTokens } from './0026-password-tokens.ts';
import { relatedVersion } from './0027-related-version.ts';
import { requestKeys } from './0028-request-keys.ts';
import { mentions } from './0029-mentions.ts';
import { reportRenderers } from './0030-report-renderers.ts';
import { notifications } from './0031-notifications.ts';
import { eventLog } from './0032-event-log.ts';
import { historyDetails } from './0033-history-details.ts';
import { dashboards } from './0034-dashboards.ts';
import { cancelledImports } from './0035-cancelled-imports.ts';
import { platformEvents } from './0036-platform-events.ts';
import { svnUses } from './0037-svn-uses.ts';
import { sortedNumbers } from './0038-sorted-numbers.ts';
import { words } from './0039-words.ts';
import { watchedSearches } from './0040-watched-searches.ts';
import { postingsEverywhere } from './0041-postings-everywhere.ts';
import { fileDescriptions } from './0042-file-descriptions.ts';
import { temporaryUsage } from './0043-temporary-usage.ts';
import { trackerDeletedBy } from './0044-tracker-deleted-by.ts';
import { changedFields } from './0045-changed-fields.ts';
import { turnsOfEvents } from './0046-turns-of-events.ts';
import { recordedRevisions } from './0047-recorded-revisions.ts';
import { mailAddresses } from './0048-mail-addresses.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  foundation,
  trackers,
  files,
  workflow,
  administration,
  deletion,
  archives,
  archivedSettings,
  search,
  subversion,
  notify,
  reports,
  crosstracker,
  spans,
  waiting,
  sumsByTrackers,
  customLinks,
  avatars,
  heldJobs,
  linkedTrackers,
  deletedProjects,
  archiveNumbers,
  eventKinds,
  favorites,
  watching,
  passwordTokens,
  relatedVersion,
  requestKeys,
  mentions,
  reportRenderers,
  notifications,
  eventLog,
  historyDetails,
  dashboards,
  cancelledImports,
  platformEvents,
  svnUses,
  sortedNumbers,
  words,
  watchedSearches,
  postingsEverywhere,
  fileDescriptions,
  temporaryUsage,
  trackerDeletedBy,
  changedFields,
  turnsOfEvents,
  recordedRevisions,
  mailAddresses,
];

export type { Ddl } from './migration.ts';
