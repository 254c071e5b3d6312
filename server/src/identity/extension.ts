import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';

/** An account that is called otherwise. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** What rooms above this one do when an account changes, in the transaction that changes it. `operations.ts` hands them in. */
export interface AccountExtension {
  renamed(tx: Transaction, viewer: Viewer, renaming: Renaming): Promise<void>;
}
