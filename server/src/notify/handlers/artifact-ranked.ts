import { type EventHandler, noOutcome } from './handler.ts';

/** The order of artifacts is told to nobody by mail or webhook. */
export const artifactRanked: EventHandler<'artifact.ranked'> = { outcomeOf: async () => noOutcome };
