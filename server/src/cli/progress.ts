/** How far something is. */
interface Progress {
  readonly stage: string;
  readonly done: number;
  /** 0 where it is not known. */
  readonly total: number;
}

const width = 30;

function bar({ done, total }: Progress): string {
  const part = Math.min(1, done / total);
  const filled = Math.round(part * width);
  return `[${'='.repeat(filled)}${' '.repeat(width - filled)}] ${Math.floor(part * 100)} %`;
}

/** One line on a terminal that tells how far something is. Where standard error is no terminal, nothing is written. */
export class ProgressLine {
  readonly #isShown = process.stderr.isTTY;
  #lastShown = 0;

  show(progress: Progress): void {
    const now = Date.now();
    if (!this.#isShown || now - this.#lastShown < 100) return;
    this.#lastShown = now;
    const { stage, done, total } = progress;
    const words = total === 0 ? (done === 0 ? '' : String(done)) : `${bar(progress)}  ${done} of ${total}`;
    process.stderr.write(`\r\x1b[K${stage} ${words}`);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K');
  }
}
