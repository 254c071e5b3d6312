import type { Field, Tracker } from '../../trackers/index.ts';
import type { Artifact } from '../model.ts';

/** An artifact that shall be one of another tracker. */
export interface MoveRequest {
  readonly id: number;
  readonly trackerId: number;
}

/** A move that its viewer may make. */
export interface Move {
  readonly artifact: Artifact;
  readonly to: Tracker;
  /** Which field of the other tracker takes over each field of this one. */
  readonly takers: ReadonlyMap<Field, Field | undefined>;
}
