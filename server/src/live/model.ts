import type { ReadContext } from '../artifacts/index.ts';
import type { LiveFacts, LiveKind } from '../kernel/events.ts';

/** Something that a stream says. */
export interface Message {
  readonly event: string;
  readonly data: object;
}

/** A message as it travels. The id is what a client gives to go on after it; of several that belong together only the last has one. */
export function wireText({ event, data }: Message, id?: number): string {
  const place = id === undefined ? '' : `id: ${id}\n`;
  return `${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Says that the stream lives, and how far it is. */
export const signOfLife = (id: number) => `:\nid: ${id}\n\n`;

/** Something was missed: whoever reads this reads again what they show. */
export const reset: Message = { event: 'reset', data: {} };
export const signedOut: Message = { event: 'signed_out', data: {} };
export const standing: Message = { event: 'standing', data: {} };

/** The account that acted, and the page or program. */
export const deedOf = (by: number, client: string | null) => ({ by: by === 0 ? null : by, client });

/** One thing that happened, before whom it may be told to. */
export interface Occasion<Kind extends LiveKind> {
  readonly facts: LiveFacts[Kind];
  readonly client: string | null;
}

/** Tells of one kind of event. */
export interface Teller<Kind extends LiveKind> {
  /** Where it happened: whoever listens there is told, if they may know. */
  topicsOf(facts: LiveFacts[Kind]): readonly string[];
  /** Those whose own it is, told under `user`. */
  peopleOf?(facts: LiveFacts[Kind], readContext: ReadContext): Promise<readonly number[]>;
  /** What this viewer is told: nothing, where it is not for them. */
  messagesFor(occasion: Occasion<Kind>, readContext: ReadContext): Promise<readonly Message[]>;
}
