import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Ticks of Linux. */
const ticksPerSecond = 100;

/** `[[days-]hours:]minutes:seconds` */
const secondsIn = (time: string) =>
  time
    .trim()
    .split(/[-:]/)
    .reduce((sum, part) => sum * 60 + Number(part), 0);

/** Seconds that a process has had of the processor. A busy machine takes longer for the same work, and not more of these. */
export function processorSecondsOf(pid: number): number {
  if (process.platform !== 'linux')
    return secondsIn(execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }));
  // Behind the name of the program, which may have spaces in it.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
  const [userTicks, systemTicks] = fields.split(' ').slice(11, 13).map(Number);
  return ((userTicks ?? 0) + (systemTicks ?? 0)) / ticksPerSecond;
}
