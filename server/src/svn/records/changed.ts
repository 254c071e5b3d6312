import type { LiveDeed } from '../../kernel/events.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { logEvent, type Transaction } from '../../storage/index.ts';

/** Which repository, and where it is. */
interface RepositoryPlace {
  readonly id: number;
  readonly project_id: number;
}

/** A repository came, went, or is set otherwise now: those who look at it are told. What is committed is told by its commit. */
export async function repositoryChanged(
  tx: Transaction,
  { userId: by }: Viewer,
  { id: repositoryId, project_id: projectId }: RepositoryPlace,
  what: LiveDeed = 'changed',
): Promise<void> {
  await logEvent(tx, 'svn.changed', { repositoryId, projectId, what, by });
}
