import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { exited, spawnNode } from '../processes.ts';
import type { LoadOrder, LoadResult } from './load.ts';

const generator = fileURLToPath(new URL('./generator.ts', import.meta.url));

/** Runs the order in a process of its own, so that the load shares no event loop with anything else. */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const child = spawnNode([generator], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdin || !child.stdout) throw new Error('The load generator has no pipes');
  child.stdin.end(JSON.stringify(order));
  const [output, code] = await Promise.all([text(child.stdout), exited(child)]);
  if (code !== 0) throw new Error(`The load generator ended with ${code}`);
  return JSON.parse(output);
}
