import type { Config } from '../kernel/config.ts';
import type { Blobs, Database } from '../storage/index.ts';

/** A platform that is backed up. */
export interface BackedUpPlatform {
  readonly config: Config;
  readonly database: Database;
  readonly blobs: Blobs;
}
