import { forbidden } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import { delegation, holds, type Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';

export interface SystemEvent {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly owner: string;
  readonly log: string | null;
}

export async function listSystemEvents(
  reader: Reader,
  viewer: Viewer,
  { status, limit, offset }: { status: string | undefined } & Page,
): Promise<Slice<SystemEvent>> {
  if (!holds(viewer, delegation.systemEvents)) throw forbidden('You may not see system events.');
  let matching = reader.sql.selectFrom('system_event');
  if (status !== undefined) matching = matching.where('status', '=', status.toUpperCase());
  const count = await reader.first(matching.select((event) => event.fn.countAll<number>().as('size')));
  const page = matching
    .select(['id', 'type', 'status', 'owner', 'log'])
    .orderBy('id')
    .limit(limit)
    .offset(offset);
  return { items: await reader.all(page), size: count?.size ?? 0 };
}
