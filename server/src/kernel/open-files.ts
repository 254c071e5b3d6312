import { readFileSync } from 'node:fs';

/** Files that this process may have open at once; undefined where nobody says. */
export function mostOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** What the service itself needs, beside connections: for each thread, for the database, and for files that are read and written. */
const needed = { all: 64, thread: 32 };

/**
 * How many connections leave the service the files that it needs: a process without any can neither answer nor say why. At
 * least a quarter of all are for connections.
 */
export function connectionsWithin(
  openFiles: number,
  { threads, databaseConnections }: { readonly threads: number; readonly databaseConnections: number },
): number {
  const own = needed.all + threads * needed.thread + databaseConnections;
  return Math.max(openFiles - own, Math.floor(openFiles / 4), 1);
}
