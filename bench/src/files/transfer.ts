import { fileURLToPath } from 'node:url';
import { runProgram } from '../processes.ts';

/** Bytes to be moved, by a process of its own. */
export type Transfer =
  /** To another file, which is on the disk at the end. */
  | { kind: 'copy'; from: string; to: string }
  /** To a reserved upload, by a tus client. */
  | { kind: 'upload'; from: string; to: string; accessKey: string }
  /** The same file as many times at once, to nowhere. */
  | { kind: 'download'; from: string; accessKey: string; copies: number };

export interface Transferred {
  bytes: number;
  seconds: number;
}

const program = fileURLToPath(new URL('./transferrer.ts', import.meta.url));

export const runTransfer = (transfer: Transfer) => runProgram<Transfer, Transferred>(program, transfer);
