import { posix } from 'node:path';
import { invalid } from '../kernel/errors.ts';

/** What an import tells of things that it could not take over. Stable, for programs. */
export type WarningCode =
  | 'skipped_element'
  | 'unknown_field_type'
  | 'unknown_group'
  | 'unknown_permission'
  | 'unknown_reference'
  | 'invalid_value'
  | 'missing_file'
  | 'unknown_link_target'
  | 'link_type_created'
  | 'access_file_refused'
  | 'empty_changeset'
  | 'private_comment_restricted'
  | 'no_field_permission';

/** How warnings of one kind are told together. Plain data. */
export interface Likeness {
  /** `fields have no permissions`. */
  readonly what: string;
  /** The name of what this one is about. */
  readonly subject: string;
}

export interface ArchiveWarning {
  readonly code: WarningCode;
  /** Where in the archive: a file, or a path of elements with their ids. */
  readonly place: string;
  readonly line: number;
  readonly text: string;
  readonly like?: Likeness | undefined;
}

export type Warn = (warning: ArchiveWarning) => void;

/** An element with its id, as places name it; one that has none is named alone. */
export const placeWords = (element: string, id: string | undefined) =>
  id === undefined || id.trim() === '' ? element : `${element}[${id.trim()}]`;

/** An archive that cannot be read: says the file, the line where one is known, and why. */
export const archiveFault = (file: string, line: number | undefined, reason: string) =>
  invalid(line === undefined ? `${file}: ${reason}` : `${file}, line ${line}: ${reason}`);

/** The files of an archive, whether it is a folder or a zip. Paths are relative to its root. */
export interface Archive {
  readonly paths: Iterable<string>;
  /** Undefined when there is no such file. */
  size(path: string): Promise<number | undefined>;
  open(path: string): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

/** A path that an archive names, made plain. Refuses whatever leads out of the archive. */
export function pathIn(file: string, line: number | undefined, written: string): string {
  const path = posix.normalize(written);
  const isOutside = path === '..' || path.startsWith('../') || posix.isAbsolute(path);
  if (isOutside || path === '.' || /[\\\0]/.test(written) || /^[A-Za-z]:/.test(written))
    throw archiveFault(
      file,
      line,
      `The path ${JSON.stringify(written.slice(0, 200))} leads out of the archive.`,
    );
  return path.replace(/\/$/, '');
}
