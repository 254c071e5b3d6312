import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

export function machineFacts() {
  return {
    node: process.version,
    platform: `${platform()} ${arch()}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryMb: Math.round(totalmem() / 2 ** 20),
  };
}

/** Memory that belongs to the process alone, in MB; undefined where there is no /proc. */
export function rssAnonMb(pid: number): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Linux counts the time of the processor in hundredths of a second, whatever the machine. */
const ticksPerSecond = 100;

/** Processor time that the process has taken until now, all threads together; undefined where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may have anything in it, come the state and more; user and system time are 12th and 13th.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return undefined;
  }
}
