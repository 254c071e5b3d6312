import type { Instant } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';

export interface ParentChange {
  readonly trackerId: number;
  readonly formerParentId: number | null;
  readonly parentId: number | null;
}

/** Fields of a tracker, by their short names, whose values may count for something else from now on. */
export interface ContributionChange {
  readonly trackerId: number;
  readonly names: readonly string[];
}

/** A field that gets another short name. */
export interface FieldRenaming {
  readonly trackerId: number;
  readonly from: string;
  readonly to: string;
}

/** A value of a list that gets another label. */
export interface ValueRenaming {
  readonly trackerId: number;
  /** Short name of the list. */
  readonly list: string;
  readonly from: string;
  readonly to: string;
}

/** Something elsewhere that names an artifact. */
export interface OutsideReference {
  /** As it is written in texts: `svn #firmware/42`. */
  readonly keyword: string;
  readonly value: string;
  readonly projectId: number;
  /** Undefined where the viewer may know that it is there, and no more. */
  readonly details:
    | { readonly revision: number; readonly author: string; readonly message: string; readonly at: Instant }
    | undefined;
}

/** A room above this one that knows of such references. `operations.ts` hands it in. */
export interface ReferenceSource {
  /** By the id of the artifact that is named; nothing that the viewer may not know. */
  referencesTo(
    reader: Reader,
    viewer: Viewer,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly OutsideReference[]>>;
}

/** What rooms above this one do when trackers change, in the same transaction. `operations.ts` hands them in. */
export interface TrackerExtension {
  /** The tracker got another parent, so that links between artifacts of the two are to be of another type. */
  parentChanged?(tx: Transaction, viewer: Viewer, change: ParentChange): Promise<void>;
  /** What artifacts of the tracker add to sums may be something else, without any of them having changed. */
  contributionsChanged?(tx: Transaction, change: ContributionChange): Promise<void>;
  /** Values of the field are measured in another way from now on. */
  measuringChanged?(tx: Transaction, viewer: Viewer, fieldId: number): Promise<void>;
  /** A query over the tracker that asks for the field or the value by its new name. */
  renamedQuery?(query: string, renaming: FieldRenaming | ValueRenaming): string;
  /** Queries over the tracker that are kept elsewhere have to be others. */
  queriesChanged?(tx: Transaction, trackerId: number, changed: (query: string) => string): Promise<void>;
  /** Trackers over which queries are kept elsewhere that have the part in them, in any case. */
  trackersInQueries?(tx: Transaction, part: string): Promise<readonly number[]>;
}

export async function tellContributions(
  tx: Transaction,
  extensions: readonly TrackerExtension[],
  change: ContributionChange,
): Promise<void> {
  for (const extension of extensions) await extension.contributionsChanged?.(tx, change);
}
