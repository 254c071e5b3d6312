import type { SvnRevision } from '@atelier/contract';
import { formatInstant } from '../kernel/clock.ts';
import type { LastChange, LogEntry } from '../svn/index.ts';

/** Below this path lie the bytes of files and the changes of revisions, for the pages that show repositories. */
export const svnContentFolder = '/svn-content';

export const contentPath = (id: number, path: string, revision: number) =>
  `${svnContentFolder}/${id}/file?path=${encodeURIComponent(path)}&revision=${revision}`;
const diffPath = (id: number, revision: number) => `${svnContentFolder}/${id}/diff?revision=${revision}`;

export const presentChange = ({ revision, author, at }: LastChange) => ({
  revision,
  author,
  date: at === null ? null : formatInstant(at),
});

export const typeOf = ({ isFolder }: { isFolder: boolean }) => (isFolder ? 'folder' : 'file');

export const presentRevision = (id: number, entry: LogEntry): SvnRevision => ({
  ...presentChange(entry),
  message: entry.message,
  is_partial: entry.isPartial,
  changes: entry.changes.map(({ path, action, isFolder, copiedFrom }) => ({
    ...{ path, action },
    type: typeOf({ isFolder }),
    copied_from: copiedFrom,
  })),
  diff_href: diffPath(id, entry.revision),
});
