import { fileURLToPath } from 'node:url';
import type { Dataset } from '../dataset/dataset.ts';
import type { Figures } from '../load/load.ts';
import { runProgram } from '../processes.ts';

const loop = fileURLToPath(new URL('./write-loop.ts', import.meta.url));

/** The rows of which change the bare loop writes. */
export type WriteFloor = 'creations' | 'changes';

/** How many artifacts are changed, in turn, by the loop and by the clients of the product. */
export const changedCount = 512;

/** How many different artifacts are made, in turn. */
export const draftCount = 200;

/** Clients that write to PostgreSQL at once, as many as the product has. */
export const writingClients = 32;

/** Where the loop writes: an SQLite database of the product with the dataset in it, or a PostgreSQL database. */
export type WritePlace = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

export interface WriteOrder {
  rows: WriteFloor;
  place: WritePlace;
  dataset: Dataset;
  warmUpSeconds: number;
  seconds: number;
}

/** Runs the loop in a process of its own. */
export function runWriteLoop(order: WriteOrder): Promise<Figures> {
  return runProgram(loop, order);
}
