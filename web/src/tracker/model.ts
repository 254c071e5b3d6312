import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import type { MouseEvent } from 'react';
import type { Field, StatusStages } from '../fields/index.ts';

/** What rows of a table share: it stays the same while one moves about in it. */
export interface TableModel {
  readonly tracker: Tracker;
  readonly stages: StatusStages;
  readonly titleName: string | undefined;
  readonly titleField: Field | undefined;
  select(uri: string): void;
  edit(place: number, column: string): void;
  editDone(next?: 'next' | 'previous'): void;
  /** A title was pressed: with a key held down the browser opens it elsewhere. */
  follow(event: MouseEvent, place: number, row: ArtifactRow): void;
}
