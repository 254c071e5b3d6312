import { type DeviceDatabase, deviceDatabase } from './device.ts';
import { tell } from './pending.ts';

/** Days that a draft waits for somebody to come back to it. */
const mostDays = 30;
/** Characters of answers that are kept in all. */
const mostKept = 20 * 1_048_576;

/** Takes away what this device keeps of a person and is too old or too much. */
async function forgetOld(database: DeviceDatabase): Promise<void> {
  const oldest = Date.now() - mostDays * 86_400_000;
  for (const draft of await database.getAll('drafts'))
    if (draft.time < oldest) await database.delete('drafts', draft.key);
  let size = 0;
  const transaction = database.transaction('answers', 'readwrite');
  let cursor = await transaction.store.index('time').openCursor(null, 'prev');
  while (cursor !== null) {
    size += cursor.value.size;
    if (size > mostKept) void cursor.delete();
    cursor = await cursor.continue();
  }
  await transaction.done;
}

/** Changes that an earlier visit left with a question: whoever made them would take them for stored. */
async function tellConflicts(database: DeviceDatabase): Promise<void> {
  for (const change of await database.getAll('changes'))
    if (change.state === 'conflict') tell({ kind: 'conflict', change });
}

/**
 * Some browsers, Safari among them, put a page that is left aside as it is, for whoever comes back to it. What it was reading or writing
 * would be held against every page that comes, until it is forgotten: it lets go of it.
 */
function letGoWhenLeft(): void {
  const underWay = new Set<IDBTransaction>();
  const { transaction: begin } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...asked) {
    const begun = begin.apply(this, asked);
    underWay.add(begun);
    for (const end of ['complete', 'abort']) begun.addEventListener(end, () => underWay.delete(begun));
    return begun;
  };
  addEventListener('pagehide', ({ persisted: isPutAside }) => {
    if (!isPutAside) return;
    for (const one of underWay)
      try {
        one.abort();
      } catch {
        // All of it was said already: it comes to its end by itself.
      }
  });
}

/** Looks through what this device keeps of a person; loaded once a page stands. */
export async function keepUp(personId: number | undefined): Promise<void> {
  if (typeof IDBDatabase !== 'undefined') letGoWhenLeft();
  const database = await deviceDatabase(personId);
  if (database === undefined) return;
  await tellConflicts(database);
  await forgetOld(database);
}
