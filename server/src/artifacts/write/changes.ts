import type { Field, Stored, StoredLink } from '../../trackers/index.ts';
import type { StoredComment } from '../comments.ts';

/** All that one changeset changes. */
export interface Changes {
  readonly values: ReadonlyMap<Field, Stored>;
  /** The complete forward links, when they change. */
  readonly links: readonly StoredLink[] | undefined;
  readonly comment: StoredComment | undefined;
}
