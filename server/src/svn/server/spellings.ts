import { second } from '../../kernel/clock.ts';
import type { Location } from './apache-config.ts';

/** Ways of spelling the name of one project at the most. */
const mostSpellings = 8;

/**
 * One that nobody used for as long gives way to another. Each new one takes a new Apache, so somebody who makes them up is
 * slowed down.
 */
const rest = 10 * second;

/** The names under which projects are asked for, which Apache must know. */
export class Spellings {
  readonly #known = new Map<string, { readonly location: Location; usedAt: number }>();

  get locations(): Location[] {
    return [...this.#known.values()].map(({ location }) => location);
  }

  /** Whether the project is served under this name from now on. `now`: by a clock that nobody sets. */
  learn(location: Location, now: number): boolean {
    const { spelling, projectId } = location;
    if (this.#known.get(spelling)?.location.projectId !== projectId && !this.#makeRoom(projectId, now))
      return false;
    this.#known.set(spelling, { location, usedAt: now });
    return true;
  }

  #makeRoom(projectId: number, now: number): boolean {
    const own = [...this.#known.values()].filter(({ location }) => location.projectId === projectId);
    if (own.length < mostSpellings) return true;
    const oldest = own.reduce((least, other) => (other.usedAt < least.usedAt ? other : least));
    return oldest.usedAt + rest <= now && this.#known.delete(oldest.location.spelling);
  }
}
