import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A small Debian has none; `npm test` says what is not tried without it. */
export const lacksCurl = spawnSync('curl', ['--version']).error !== undefined;

interface RunningProgram {
  readonly pid: number;
  readonly parent: number;
  readonly line: string;
}

function onLinux(pid: number): RunningProgram[] {
  try {
    // Behind the name of the program, which may have spaces in it.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ pid, parent: Number(fields.split(' ')[1]), line }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function listed(): RunningProgram[] {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.map((text) => {
    const [parent, pid, ...words] = text.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), line: words.join(' ') };
  });
}

/** The processes that another one started, with their command lines. */
export function childrenOf(parent: number): RunningProgram[] {
  const all =
    process.platform === 'linux'
      ? readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? onLinux(Number(name)) : []))
      : listed();
  return all.filter((one) => one.parent === parent);
}
