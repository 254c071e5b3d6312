import { Refusal, unavailable } from '../../kernel/errors.ts';
import { systemFault } from '../../kernel/system-faults.ts';

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

const fullDisk = ['ENOSPC', 'EDQUOT'];
/** The process, or the machine, has too many files open. */
const crowded = ['EMFILE', 'ENFILE'];

/** What the disk answers, in words for whoever asked; the log gets the rest. */
function diskRefusal(error: Error, code: string): Refusal {
  const cause = systemFault(error) ?? error.message;
  if (fullDisk.includes(code))
    return unavailable('There is no room left for files. Nothing was changed.', { cause });
  if (crowded.includes(code))
    return unavailable('Too many files are open at the moment. Nothing was changed.', {
      cause,
      retryAfter: 5,
    });
  return unavailable('The place where files are kept cannot be used; the log says why.', { cause });
}

/** Makes a fault of the file system a refusal, and leaves everything else as it is. */
export function refuseDisk(error: unknown): never {
  const code = codeOf(error);
  if (error instanceof Refusal || !(error instanceof Error) || code === undefined) throw error;
  throw diskRefusal(error, code);
}
