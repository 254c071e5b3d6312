import { type PlatformEventKind, recordPlatformEvent } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { requireAdministrator } from './policy.ts';
import { requireProject } from './require-access.ts';

/** Something that happened in a project. */
export interface HistoryEntry {
  readonly at: Instant;
  /** 0: nobody who has an account. */
  readonly by: number;
  /** What kind of thing happened. */
  readonly event: string;
  /** To what, in words. */
  readonly subject: string;
  /** What stood there, and what stands there now; null where nothing of the kind is told. */
  readonly details: HistoryDetails | null;
}

export interface HistoryDetails {
  readonly before: string;
  readonly after: string;
}

type NewEntry = Pick<HistoryEntry, 'event' | 'subject'> & { readonly details?: HistoryDetails };

/** Texts of a history are short: what was long is told by its beginning. */
const longest = 500;
const shortened = (text: string) =>
  [...text].length > longest ? `${[...text].slice(0, longest).join('')}…` : text;

/** Writes down, in the transaction in which it happens, what administrators of the project should know of. */
export async function recordInHistory(
  tx: Transaction,
  viewer: Pick<Viewer, 'userId'>,
  projectId: number,
  { event, subject, details }: NewEntry,
): Promise<void> {
  const told =
    details === undefined
      ? null
      : JSON.stringify({ before: shortened(details.before), after: shortened(details.after) });
  const entry = {
    ...{ project_id: projectId, happened_at: Date.now(), account_id: viewer.userId, event, subject },
    details: told,
  };
  await tx.run(tx.sql.insertInto('project_history').values(entry));
  await tellPlatform(tx, viewer, projectId, { event, subject, ...(details && { details }) });
}

/** What administrators of the platform look up as well, and as what. */
const kindsOf: Readonly<Record<string, PlatformEventKind>> = {
  project_deleted: 'project_delete',
  project_restored: 'project_restore',
  project_imported: 'project_import',
  administrator_add: 'administrator_add',
  administrator_remove: 'administrator_remove',
  tracker_delete: 'tracker_delete',
  tracker_artifact_delete: 'artifact_delete',
  svn_multi_repository_deletion: 'repository_delete',
};
const isAboutAccess = ({ event, subject }: NewEntry) => event === 'settings_change' && subject === 'access';

async function tellPlatform(
  tx: Transaction,
  { userId }: Pick<Viewer, 'userId'>,
  projectId: number,
  entry: NewEntry,
) {
  const kind = isAboutAccess(entry) ? 'project_access' : kindsOf[entry.event];
  if (kind === undefined) return;
  const named = tx.sql.selectFrom('project').select('shortname').where('id', '=', projectId);
  const { shortname } = (await tx.first(named)) ?? { shortname: String(projectId) };
  const isItself = kind.startsWith('project_');
  const subject = isItself ? shortname : `${shortname}: ${entry.subject}`;
  await recordPlatformEvent(tx, userId, { kind, subject, details: entry.details });
}

/** Which entries of a history are asked for. */
export interface HistorySearch extends Page {
  readonly projectId: number;
  /** What kind of thing happened. */
  readonly event?: string | undefined;
  readonly userId?: number | undefined;
}

/** What happened in a project, the last first, for its administrators. */
export async function readProjectHistory(
  reader: Reader,
  viewer: Viewer,
  { projectId, event, userId, limit, offset }: HistorySearch,
): Promise<Slice<HistoryEntry>> {
  requireAdministrator(viewer, await requireProject(reader, viewer, projectId, 'project'));
  let own = reader.sql.selectFrom('project_history').where('project_id', '=', projectId);
  if (event !== undefined) own = own.where('event', '=', event);
  if (userId !== undefined) own = own.where('account_id', '=', userId);
  const columns = ['happened_at as at', 'account_id as by', 'event', 'subject', 'details'] as const;
  const counted = await reader.first(own.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await reader.all(own.select(columns).orderBy('id', 'desc').limit(limit).offset(offset));
  const items = rows.map(({ details, ...entry }) => ({
    ...entry,
    details: details === null ? null : JSON.parse(details),
  }));
  return { items, size: counted?.size ?? 0 };
}
