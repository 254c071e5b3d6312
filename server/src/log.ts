import pino from 'pino';
import type { Log } from './http/index.ts';
import type { LogLevel } from './kernel/config.ts';

/** Bytes of lines that wait while they cannot be written. More are left out. */
const mostWaiting = 1024 * 1024;

/** JSON lines on standard error, so that standard output is left to words for people. */
export function createLog(level: LogLevel, thread: string): Log {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: mostWaiting });
  // The service outlives whoever reads its log, and goes on where the disk with it is full: lines are tried again with the next one.
  destination.on('error', () => {});
  return pino({ level, base: { thread }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
