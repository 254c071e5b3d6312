import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import type { MouseEvent } from 'react';
import type { Field, StatusStages } from '../fields/index.ts';
import type { StepWish } from './artifact-parts.tsx';

/** What rows of a table share: it stays the same while one moves about in it. */
export interface TableModel {
  readonly tracker: Tracker;
  readonly stages: StatusStages;
  readonly titleField: Field | undefined;
  /** Selects a row, or, with Shift, all from the last one on. */
  select(place: number, isRange: boolean): void;
  askForStep(step: StepWish): void;
  /** In the order of ranks: puts the row of one place where another is. */
  moveRow(from: number, to: number): void;
  editDone(next?: 'next' | 'previous'): void;
  /** A title was pressed: with a key held down the browser opens it elsewhere. */
  follow(event: MouseEvent, place: number, row: ArtifactRow): void;
}
