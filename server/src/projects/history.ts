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
}

/** Writes down, in the transaction in which it happens, what administrators of the project should know of. */
export async function recordInHistory(
  tx: Transaction,
  viewer: Viewer,
  projectId: number,
  { event, subject }: Pick<HistoryEntry, 'event' | 'subject'>,
): Promise<void> {
  const entry = { project_id: projectId, happened_at: Date.now(), account_id: viewer.userId, event, subject };
  await tx.run(tx.sql.insertInto('project_history').values(entry));
}

/** What happened in a project, the last first, for its administrators. */
export async function readProjectHistory(
  reader: Reader,
  viewer: Viewer,
  { projectId, limit, offset }: Page & { readonly projectId: number },
): Promise<Slice<HistoryEntry>> {
  requireAdministrator(viewer, await requireProject(reader, viewer, projectId, 'project'));
  const own = reader.sql.selectFrom('project_history').where('project_id', '=', projectId);
  const columns = ['happened_at as at', 'account_id as by', 'event', 'subject'] as const;
  const counted = await reader.first(own.select((row) => row.fn.countAll<number>().as('size')));
  const items = await reader.all(own.select(columns).orderBy('id', 'desc').limit(limit).offset(offset));
  return { items, size: counted?.size ?? 0 };
}
