import { readFile, rename } from 'node:fs/promises';
import { unavailable } from '../../kernel/errors.ts';
import { workFileName } from '../../kernel/work-files.ts';
import type { RepositoryPlace, SvnWorkspace } from '../workspace/index.ts';
import { type Sections, writeAccessFile } from './rules.ts';

const accessFileName = '.SVNAccessFile';

/** Writes the access file when it says something else; readers see the old one or the new one, and nothing between. */
export async function writeAccess(
  svnWorkspace: SvnWorkspace,
  place: RepositoryPlace,
  sections: Sections,
): Promise<void> {
  const path = svnWorkspace.pathOf(place, accessFileName);
  const text = writeAccessFile(sections);
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  const draft = svnWorkspace.pathOf(place, workFileName('.access'));
  try {
    await svnWorkspace.write(draft, text);
    await rename(draft, path);
  } catch (error) {
    // It may have been deleted a moment ago, or its disk is away.
    throw unavailable('The repository cannot be reached.', { cause: String(error) });
  }
}
