/**
 * Holds what comes and goes with every request. A Set would do the same, but makes its table anew every few requests; the collector of
 * young objects takes the old tables for alive, and all that they ever held with them, which costs a third of a small request.
 */
export class Slots<Item> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  /** The place of the item, which gives it up again. */
  add(item: Item): number {
    const place = this.#free.pop() ?? this.#items.length;
    this.#items[place] = item;
    return place;
  }

  free(place: number): void {
    this.#items[place] = undefined;
    this.#free.push(place);
  }

  get size(): number {
    return this.#items.length - this.#free.length;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const item of this.#items) if (item !== undefined) yield item;
  }
}
