import { changesetOutcome } from './artifact-updated.ts';
import type { EventHandler } from './handler.ts';

/** The first changeset of an artifact is told as every other one. */
export const artifactCreated: EventHandler<'artifact.created'> = { outcomeOf: changesetOutcome };
