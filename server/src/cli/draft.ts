import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { isThere, syncFolder } from '../kernel/folders.ts';
import { reasonOf, systemCodeOf } from '../kernel/system-faults.ts';
import { removeAbandonedFiles, workFileName } from '../kernel/work-files.ts';
import { CommandFault } from './faults.ts';

const taken = (path: string) => new CommandFault(`${path}: there is a file of that name already.`);

/** Only one can make the file; the name is theirs then. Nothing comes between the two steps, not even a signal. */
function publish(draft: string, path: string): void {
  try {
    closeSync(openSync(path, 'wx'));
  } catch (error) {
    throw systemCodeOf(error) === 'EEXIST' ? taken(path) : error;
  }
  renameSync(draft, path);
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Tidies up when a signal ends the process, which then ends as without it. Gives what calls that off. */
function tidyWhenCut(tidy: () => void): () => void {
  const callOff = () => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    tidy();
    callOff();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, end);
  return callOff;
}

/** The name of a draft says nothing to whoever named the file. */
function withoutDraft(error: unknown, draft: string, path: string): unknown {
  const isAboutDraft = error instanceof Error && 'path' in error && error.path === draft;
  return isAboutDraft ? new CommandFault(`${path}: ${reasonOf(error)}.`) : error;
}

/**
 * Has a file written beside its place, and gives it its name once it is whole: never that of a file that is there. What fails or is
 * ended leaves nothing; a draft that is left by a kill is removed by the next run.
 */
export async function writeWhole<Report>(
  path: string,
  write: (draft: string) => Promise<Report>,
): Promise<Report> {
  if (await isThere(path)) throw taken(path);
  const folder = dirname(path);
  // What others left may be theirs to remove.
  await removeAbandonedFiles(folder).catch(() => {});
  const draft = join(folder, workFileName(extname(path)));
  const remove = () => rmSync(draft, { force: true });
  const callOff = tidyWhenCut(remove);
  try {
    const report = await write(draft);
    publish(draft, path);
    await syncFolder(folder);
    return report;
  } catch (error) {
    remove();
    throw withoutDraft(error, draft, path);
  } finally {
    callOff();
  }
}
