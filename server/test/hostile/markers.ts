/*
 * Markers are words and numbers that stand nowhere but in what is hidden from somebody. An answer that has one in it
 * must be meant for the marker's audience.
 */

/**
 * Who may read something. The workshop is a public project with a group named crew, the vault a private one, the
 * freezer one that is suspended.
 */
export const audiences = [
  'everybody',
  'people',
  'members',
  'crew',
  'blueprint readers',
  'whisper readers',
  'desk readers',
  'task form readers',
  'task administrators',
  'workshop form administrators',
  'workshop administrators',
  'vault members',
  'vault administrators',
  'vault name readers',
  'vault project readers',
  'vault group readers',
  'vault tracker readers',
  'freezer readers',
  'the crew woman',
  'the founder',
  'account administrators',
  'tracker administrators',
  'project managers',
  'site administrators',
  'nobody',
] as const;
export type Audience = (typeof audiences)[number];

interface Marker {
  readonly audience: Audience;
  readonly what: string;
}

const pattern = /zq(\d+)z|\b77(\d{5})\b/gi;
const firstNumber = 7_700_000;

/** The markers of one instance. */
export class Markers {
  readonly #markers: Marker[] = [];
  readonly #shown = new Set<number>();

  #add(audience: Audience, what: string): number {
    return this.#markers.push({ audience, what }) - 1;
  }

  /** A word, which can be a name of anything. */
  word(audience: Audience, what: string): string {
    return `zq${this.#add(audience, what)}z`;
  }

  number(audience: Audience, what: string): number {
    return firstNumber + this.#add(audience, what);
  }

  /** What an answer shows that is not for its reader, in words. */
  leaksIn(answer: string, reads: ReadonlySet<Audience>): string[] {
    const leaks = new Set<string>();
    for (const [, word, number] of answer.matchAll(pattern)) {
      const index = Number(word ?? number);
      const marker = this.#markers[index];
      if (marker === undefined) continue;
      if (reads.has(marker.audience)) this.#shown.add(index);
      else leaks.add(`${marker.what}, which is for ${marker.audience}`);
    }
    return [...leaks];
  }

  /** What no answer has shown to anybody: a marker that is in the wrong place guards nothing. */
  neverShown(): string[] {
    return this.#markers
      .filter(({ audience }, index) => audience !== 'nobody' && !this.#shown.has(index))
      .map(({ what }) => what);
  }
}
