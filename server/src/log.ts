import pino from 'pino';
import type { Log } from './http/index.ts';
import type { LogLevel } from './kernel/config.ts';

/** JSON lines on standard error, so that standard output is left to words for people. */
export function createLog(level: LogLevel, thread: string): Log {
  const destination = pino.destination({ dest: 2, sync: true });
  return pino({ level, base: { thread }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
