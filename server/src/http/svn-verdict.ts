import type { IncomingMessage } from 'node:http';
import { unasked, undecided } from '../svn/index.ts';

/** Characters of what went wrong that are looked at; Apache says it in a few lines. */
const mostHeard = 16 * 1024;

/** How mod_dav_svn tells that a hook said no. */
const hookFailed = 'errcode="165001"';

/**
 * What Apache means by its answer. When a hook refuses a commit, because a rule of the repository says so, it answers with the status 500, as if
 * something were broken; its clients are used to that. Here it counts as what it is.
 */
export class SvnVerdict {
  readonly #status: number;
  #words = '';

  constructor({ statusCode = 502 }: Pick<IncomingMessage, 'statusCode'>) {
    this.#status = statusCode;
  }

  readonly heard = (part: Buffer): void => {
    if (this.#status === 500 && this.#words.length < mostHeard) this.#words += part.toString();
  };

  /** A hook that could not do its work is another matter. */
  get isRefusal(): boolean {
    const isBroken = [unasked, undecided].some((words) => this.#words.includes(words));
    return this.#words.includes(hookFailed) && !isBroken;
  }

  readonly meaning = (): number => (this.isRefusal ? 403 : this.#status);
}
