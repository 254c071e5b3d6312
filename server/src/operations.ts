import { identityOperations, identitySearches } from './identity/index.ts';
import { type Calls, storageOperations } from './storage/index.ts';

/** Every operation of every room, by name: what the thread that writes can be asked to do. */
export const operations = { ...storageOperations, ...identityOperations };
export type Operations = Calls<typeof operations>;

/** Every read that runs off the event loop. */
export const searches = { ...identitySearches };
export type Searches = Calls<typeof searches>;
