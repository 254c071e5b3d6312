import { rssAnonMb } from '../machine.ts';

/** What a process holds while it works, in MB; undefined where the system does not tell. */
export interface MemoryCourse {
  beforeMb: number | undefined;
  peakMb: number | undefined;
  afterMb: number | undefined;
}

const lookEveryMs = 20;

/** Looks at the memory of a process while the work runs. */
export async function watchMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; memory: MemoryCourse }> {
  const beforeMb = rssAnonMb(pid);
  let peakMb = beforeMb;
  const look = () => {
    const now = rssAnonMb(pid);
    if (now !== undefined && now > (peakMb ?? 0)) peakMb = now;
    return now;
  };
  const timer = setInterval(look, lookEveryMs);
  try {
    const result = await work();
    return { result, memory: { beforeMb, afterMb: look(), peakMb } };
  } finally {
    clearInterval(timer);
  }
}
