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
