import type { ChildProcess } from 'node:child_process';
import { stop } from './processes.ts';

/** A started server, product or floor; stops when its scope ends. */
export class RunningServer implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('The server did not start');
    return this.#child.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stop(this.#child);
  }
}
