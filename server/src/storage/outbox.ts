import type { Event, EventFacts, EventKind } from '../kernel/events.ts';
import type { Transaction } from './database.ts';
import { statement } from './statement.ts';

const insertRow = statement((sql, p: { kind: string; payload: string; at: number }) =>
  sql.insertInto('outbox').values({ kind: p.kind, payload: p.payload, created_at: p.at }),
);

/** Leaves an event to whoever tells people and other programs of it, once the transaction is stored. */
export async function appendEvent<Kind extends EventKind>(
  tx: Transaction,
  kind: Kind,
  facts: EventFacts[Kind],
): Promise<void> {
  await tx.run(insertRow, { kind, payload: JSON.stringify(facts), at: Date.now() });
}

/** The event that `appendEvent` wrote. */
export function eventIn({ kind, payload }: { readonly kind: string; readonly payload: string }): Event {
  return { ...JSON.parse(payload), kind };
}
