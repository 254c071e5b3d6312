import type { IdentityOperations } from '../identity/index.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Calls } from '../storage/index.ts';
import type { ArtifactReadDeps } from './artifact-changes.ts';
import type { Commits } from './commit-mail.ts';
import type { Mailer } from './mailer.ts';
import type { Showing } from './model.ts';
import type { NotifyOperations } from './operations.ts';

export interface NotifierLog {
  warn(facts: object, words: string): void;
  error(facts: object, words: string): void;
}

/** What telling people and programs takes. */
export interface NotifierDeps extends ArtifactReadDeps {
  readonly operations: Calls<NotifyOperations & Pick<IdentityOperations, 'issueResetToken'>>;
  readonly publicUrl: string;
  readonly log: NotifierLog;
  readonly metrics: Pick<Metrics, 'count'>;
  /** Undefined where no mail is sent: then none is collected either. */
  readonly mailer: Mailer | undefined;
  /** Loaded when it is first needed. */
  showing(): Promise<Showing>;
  /** Absent where the repositories are not at hand; then commits wait for a process that has them. */
  readonly commits?: Commits | undefined;
}

const mostWords = 1000;

export const wordsOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, mostWords);
