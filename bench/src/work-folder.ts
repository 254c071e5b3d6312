import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a run keeps its data: gone at its end, or the one place that runs which keep their datasets share. */
export async function workFolder(isKept: boolean): Promise<AsyncDisposable & { path: string }> {
  if (!isKept) return mkdtempDisposable(join(tmpdir(), 'atelier-bench-'));
  const path = join(tmpdir(), 'atelier-bench');
  await mkdir(path, { recursive: true });
  return { path, async [Symbol.asyncDispose]() {} };
}
