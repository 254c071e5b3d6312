/** How it is told that the rights of this user do not reach. */
export const shutWords = 'this user may not use it';

/** What the operating system names by a code only, as people say it. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: shutWords,
  EPERM: shutWords,
  EEXIST: 'there is a file of that name already',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of that path is a file',
  ENOTEMPTY: 'the folder is not empty',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the share of the disk for this user is full',
  EFBIG: 'the file becomes too large',
  EIO: 'the disk does not answer as it should',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to that machine',
  ENETUNREACH: 'there is no way to that network',
  ENOTFOUND: 'there is no machine of that name',
  EAI_AGAIN: 'the name of the machine cannot be looked up now',
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** A fault of the operating system, with the parts that say where it was. */
interface SystemError extends Error {
  readonly path?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
}

/** The code of a fault of the operating system, such as `ENOENT`; empty for any other fault. */
export const systemCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Where it was: a path, or an address. */
function placeOf({ path, address, hostname, port }: SystemError): string | undefined {
  const host = address ?? hostname;
  if (typeof host === 'string') return port === undefined ? host : `${host}:${port}`;
  return typeof path === 'string' ? path : undefined;
}

function oneReason(error: unknown): string {
  const known = reasons[systemCodeOf(error)];
  if (known !== undefined) return known;
  if (!(error instanceof Error)) return String(error);
  return error.message || systemCodeOf(error) || error.name;
}

/** A host with several addresses fails once for each, under an error without words of its own. */
const causesOf = (error: unknown): readonly unknown[] =>
  error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];

/** Why something failed, in words that go on after a colon and without the place. */
export function reasonOf(error: unknown): string {
  return [...new Set(causesOf(error).map(oneReason))].join(', ');
}

/** Where something failed and why, in words; undefined for what the operating system has no part in. */
export function systemFault(error: unknown): string | undefined {
  const told = causesOf(error).map((cause) => {
    if (reasons[systemCodeOf(cause)] === undefined || !(cause instanceof Error)) return undefined;
    const place = placeOf(cause);
    return place === undefined ? oneReason(cause) : `${place}: ${oneReason(cause)}`;
  });
  const words = told.filter((text) => text !== undefined);
  return words.length === told.length ? [...new Set(words)].join(', ') : undefined;
}
