import { fileURLToPath } from 'node:url';
import { runProgram } from '../processes.ts';
import type { Figures, LoadOrder, LoadResult } from './load.ts';

const generator = fileURLToPath(new URL('./generator.ts', import.meta.url));

/**
 * Runs the order in a process of its own, so that the load shares no event loop with anything else. A load that met any
 * failure, or no answer at all, tells nothing: it throws.
 */
export async function runLoad(order: LoadOrder): Promise<Figures> {
  const { figures, failures } = await runProgram<LoadOrder, LoadResult>(generator, order);
  const kinds = Object.entries(failures).map(([kind, count]) => `${count} × ${kind}`);
  if (kinds.length > 0) throw new Error(kinds.join(', '));
  if (figures.requestsPerSecond === 0) throw new Error('there was no answer in the measured time');
  return figures;
}
