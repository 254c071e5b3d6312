import { runLoad } from './load/run-load.ts';
import { rssAnonMb } from './machine.ts';
import type { Ground } from './plan.ts';
import { streamsOf } from './requests.ts';
import { type Scenario, type ThreadMode, threadModes } from './scenario.ts';

const secondsEach = 2.5;

/** What one process holds after it went through all scenarios. */
export interface MemoryUse {
  threads: ThreadMode;
  rssAnonMb: number | undefined;
}

/** Lets one process go through all scenarios, one after the other, with each number of threads; Linux alone can tell. */
export async function measureMemory(scenarios: Scenario[], ground: Ground): Promise<MemoryUse[]> {
  if (process.platform !== 'linux') return [];
  const uses: MemoryUse[] = [];
  for (const threads of threadModes) uses.push(await afterAll(scenarios, ground, threads));
  return uses;
}

function afterAll(scenarios: Scenario[], ground: Ground, threads: ThreadMode): Promise<MemoryUse> {
  return ground.installation.use(threads, async ({ port, pid }) => {
    for (const scenario of scenarios) {
      const streams = streamsOf(scenario, scenario.traffic, ground.accessKey);
      await runLoad({ port, warmUpSeconds: 0, seconds: secondsEach, streams });
    }
    return { threads, rssAnonMb: rssAnonMb(pid) };
  });
}
