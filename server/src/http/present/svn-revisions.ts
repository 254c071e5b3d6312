import type { SvnRevision } from '@atelier/contract';
import { formatInstant } from '../../kernel/clock.ts';
import type { LastChange, LogEntry } from '../../svn/index.ts';
import { diffPath } from '../svn/content.ts';

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
