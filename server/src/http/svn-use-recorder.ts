import { second } from '../kernel/clock.ts';
import { systemViewer } from '../kernel/viewer.ts';
import type { Operations } from '../operations.ts';
import { type SvnUse, svnDayOf } from '../svn/index.ts';

/** What is counted is written after so long, or sooner when the service stops to have requests. */
const pause = 2 * second;

/** Counts who reads which repository. Nobody waits for that, and however much somebody reads, it is few writes. */
export class SvnUseRecorder {
  readonly #operations: Pick<Operations, 'recordSvnUses'>;
  #uses = new Map<string, SvnUse>();
  #timer: NodeJS.Timeout | undefined;

  constructor(operations: Pick<Operations, 'recordSvnUses'>) {
    this.#operations = operations;
  }

  note(repositoryId: number, accountId: number, what: 'reads' | 'views'): void {
    const day = svnDayOf(Date.now());
    const key = `${repositoryId} ${accountId} ${day}`;
    const known = this.#uses.get(key) ?? { repositoryId, accountId, day, reads: 0, views: 0 };
    this.#uses.set(key, { ...known, [what]: known[what] + 1 });
    this.#timer ??= setTimeout(() => void this.#write(), pause).unref();
  }

  async #write(): Promise<void> {
    this.#timer = undefined;
    const uses = [...this.#uses.values()];
    this.#uses = new Map();
    // What cannot be written, because the service stops or only reads, is forgotten: it was never promised.
    await this.#operations.recordSvnUses(systemViewer, { uses }).catch(() => undefined);
  }
}
