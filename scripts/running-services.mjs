// Which services run from this folder: nothing that they use may be taken away.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Undefined for a process that has ended meanwhile. */
function linuxProcess(pid) {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return { pid, words: [executableOf(pid), ...args] };
  } catch {
    return undefined;
  }
}

/** Empty for a process of somebody else. */
function executableOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

function linuxProcesses() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => linuxProcess(pid) ?? []);
}

function otherProcesses() {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' });
  const lines = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  return lines.map(([pid, ...words]) => ({ pid, words }));
}

const isService = ({ words }) =>
  words.some((word) => word.endsWith('atelier.mjs')) && words.includes('serve');

/** The process ids of services whose program, or the Node below it, lies in the folder. */
export function servicesRunningFrom(folder) {
  const processes = process.platform === 'linux' ? linuxProcesses() : otherProcesses();
  const isFromHere = ({ words }) => words.some((word) => word.startsWith(`${folder}/`));
  return processes.filter((each) => isService(each) && isFromHere(each)).map(({ pid }) => pid);
}
