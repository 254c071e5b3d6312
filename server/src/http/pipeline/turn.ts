/** Gathers what comes in one turn of the event loop, and hands it over together at the end of the turn. */
export class TurnGathering<Item> {
  readonly #handle: (items: readonly Item[]) => void;
  #items: Item[] = [];

  constructor(handle: (items: readonly Item[]) => void) {
    this.#handle = handle;
  }

  add(item: Item): void {
    if (this.#items.length === 0) setImmediate(() => this.#handOver());
    this.#items.push(item);
  }

  #handOver(): void {
    const items = this.#items;
    this.#items = [];
    this.#handle(items);
  }
}
