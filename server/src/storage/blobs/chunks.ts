const none = new Uint8Array();

/**
 * A source of bytes, taken in portions of at most the wished length. That it fails is remembered and looks like its end,
 * so that what came before can be brought home first. The source is never closed here: whoever owns it may still have
 * to answer on its connection.
 */
export class Chunks {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = none;
  #failure: { readonly error: unknown } | undefined;
  #isAtEnd = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next bytes; undefined when none are wished or none are left. */
  async next(most: number): Promise<Uint8Array | undefined> {
    if (most === 0) return undefined;
    while (this.#rest.length === 0 && !this.#isAtEnd) await this.#pull();
    const whole = this.#rest;
    // Nothing of it is kept when all of it was taken: its owner may let it go then.
    this.#rest = whole.length > most ? whole.subarray(most) : none;
    return whole.length === 0 ? undefined : whole.subarray(0, most);
  }

  async #pull(): Promise<void> {
    try {
      const { done, value } = await this.#source.next();
      if (done === true) this.#isAtEnd = true;
      else this.#rest = value;
    } catch (error) {
      this.#failure = { error };
      this.#isAtEnd = true;
    }
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
