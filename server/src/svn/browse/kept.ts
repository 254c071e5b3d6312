import type { Instant } from '../../kernel/clock.ts';

/** Answers that are remembered as long as there is room and they are young enough; those that nobody asked for longest go first. */
export class KeptAnswers<Value> {
  readonly #room: number;
  readonly #age: number;
  readonly #entries = new Map<string, { value: Value; size: number; at: Instant }>();
  #filled = 0;

  constructor(room: number, age: number) {
    this.#room = room;
    this.#age = age;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#drop(key);
    if (Date.now() - entry.at > this.#age) return undefined;
    this.#add(key, entry);
    return entry.value;
  }

  /** What would need more than a quarter of the room is not remembered. */
  put(key: string, value: Value, size: number): void {
    if (size > this.#room / 4) return;
    this.#drop(key);
    this.#add(key, { value, size, at: Date.now() });
    for (const oldest of this.#entries.keys()) {
      if (this.#filled <= this.#room) return;
      this.#drop(oldest);
    }
  }

  #add(key: string, entry: { value: Value; size: number; at: Instant }): void {
    this.#entries.set(key, entry);
    this.#filled += entry.size;
  }

  #drop(key: string): void {
    this.#filled -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
