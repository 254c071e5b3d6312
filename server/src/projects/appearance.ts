import { invalidMember, notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { projectChanged } from './changed.ts';
import { longestText } from './model.ts';
import { requireAdministrator } from './policy.ts';
import { requireProject, requireProjectForWriting } from './require-access.ts';

/** The announcement on the pages of a project. */
export async function readBanner(reader: Reader, viewer: Viewer, projectId: number): Promise<string> {
  const { banner } = await requireProject(reader, viewer, projectId, 'project');
  if (banner === null) throw notFound('This project has no banner.');
  return banner;
}

async function store(
  tx: Transaction,
  viewer: Viewer,
  projectId: number,
  columns: { banner: string | null } | { header_background: string | null },
): Promise<void> {
  requireAdministrator(viewer, await requireProjectForWriting(tx, viewer, projectId));
  await tx.run(tx.sql.updateTable('project').set(columns).where('id', '=', projectId));
  await projectChanged(tx, viewer, projectId);
}

/** Sets the announcement; null takes it away. */
export async function setBanner(
  tx: Transaction,
  viewer: Viewer,
  { projectId, message }: { projectId: number; message: string | null },
): Promise<void> {
  if (message !== null && message.length > longestText)
    throw invalidMember('message', `It must have at most ${longestText} characters.`);
  await store(tx, viewer, projectId, { banner: message });
}

/** Chooses the picture behind the header of the project's pages; null takes it away. */
export async function setHeaderBackground(
  tx: Transaction,
  viewer: Viewer,
  { projectId, identifier }: { projectId: number; identifier: string | null },
): Promise<void> {
  await store(tx, viewer, projectId, { header_background: identifier });
}
