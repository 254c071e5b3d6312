import type { Event, EventFacts, EventKind, LiveKind, TwiceToldFacts } from '../kernel/events.ts';
import type { Transaction } from './database.ts';
import { logEvent } from './event-log.ts';
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
  await tx.write(insertRow, { kind, payload: JSON.stringify(facts), at: Date.now() });
}

/** The same for what is also told to those who look at it as it happens; they hear of it whether or not anybody else does. */
export async function appendLiveEvent<Kind extends EventKind & LiveKind>(
  tx: Transaction,
  kind: Kind,
  facts: TwiceToldFacts<Kind>,
  isWanted = true,
): Promise<void> {
  await logEvent(tx, kind, facts);
  if (isWanted) await appendEvent(tx, kind, facts);
}

/** The event that `appendEvent` wrote. */
export function eventIn({ kind, payload }: { readonly kind: string; readonly payload: string }): Event {
  return { ...JSON.parse(payload), kind };
}
