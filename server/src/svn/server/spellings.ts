import { hour, second } from '../../kernel/clock.ts';
import type { Location } from './apache-config.ts';

/** Ways of spelling the name of one project at the most. */
const mostSpellings = 8;

/**
 * One that nobody used for as long gives way to another. Each new one takes a new Apache, so somebody who makes them up is
 * slowed down.
 */
const rest = 10 * second;

/** Unusual spellings that one caller may make up in an hour: an Apache that gave way to another lives as long as something is read from it. */
const mostMadeUp = 4;

/** The names under which projects are asked for, which Apache must know. */
export class Spellings {
  readonly #known = new Map<string, { readonly location: Location; usedAt: number }>();
  /** When callers made spellings up. */
  readonly #madeUp = new Map<string, number[]>();

  get locations(): Location[] {
    return [...this.#known.values()].map(({ location }) => location);
  }

  /**
   * Whether the project is served under this name from now on. `now`: by a clock that nobody sets. `caller`: who spells it so; absent where that is
   * how it is spelled most often.
   */
  learn(location: Location, now: number, caller?: string): boolean {
    const { spelling, projectId } = location;
    if (this.#known.get(spelling)?.location.projectId !== projectId) {
      const isTooMuch = caller !== undefined && this.#madeUpBy(caller, now).length >= mostMadeUp;
      if (isTooMuch || !this.#makeRoom(projectId, now)) return false;
      if (caller !== undefined) this.#madeUp.set(caller, [...this.#madeUpBy(caller, now), now]);
    }
    this.#known.set(spelling, { location, usedAt: now });
    return true;
  }

  #madeUpBy(caller: string, now: number): number[] {
    for (const [who, times] of this.#madeUp)
      if (times.every((time) => time + hour <= now)) this.#madeUp.delete(who);
    return (this.#madeUp.get(caller) ?? []).filter((time) => time + hour > now);
  }

  #makeRoom(projectId: number, now: number): boolean {
    const own = [...this.#known.values()].filter(({ location }) => location.projectId === projectId);
    if (own.length < mostSpellings) return true;
    const oldest = own.reduce((least, other) => (other.usedAt < least.usedAt ? other : least));
    return oldest.usedAt + rest <= now && this.#known.delete(oldest.location.spelling);
  }
}
