/*
 * The short way for the requests that come most: reads.ts for `GET /artifacts/{id}` and the like, writes.ts for small bodies. It skips the framework and nothing
 * else: a test replays every direct route both ways and compares the bytes (decision 12).
 */

export { DirectReads } from './reads.ts';
export { DirectWrites } from './writes.ts';
