import type { Event, EventFacts, EventKind, LiveKind, TwiceToldFacts } from '../kernel/events.ts';
import type { Transaction } from './database.ts';
import { logEvent } from './event-log.ts';
import { statement } from './statement.ts';

interface NewRow {
  readonly kind: string;
  readonly payload: string;
  readonly at: number;
  readonly accountId: number;
  readonly artifactId: number | null;
}

const insertRow = statement((sql, p: NewRow) =>
  sql.insertInto('outbox').values({
    kind: p.kind,
    payload: p.payload,
    created_at: p.at,
    account_id: p.accountId,
    artifact_id: p.artifactId,
  }),
);

/** Whose turn it takes to tell of it. */
function personIn(facts: EventFacts[EventKind]): number {
  if ('by' in facts) return facts.by;
  return 'account' in facts ? facts.account : 0;
}

/** Leaves an event to whoever tells people and other programs of it, once the transaction is stored. */
export async function appendEvent<Kind extends EventKind>(
  tx: Transaction,
  kind: Kind,
  facts: EventFacts[Kind],
): Promise<void> {
  await tx.write(insertRow, {
    ...{ kind, payload: JSON.stringify(facts), at: Date.now(), accountId: personIn(facts) },
    artifactId: 'artifactId' in facts ? facts.artifactId : null,
  });
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
