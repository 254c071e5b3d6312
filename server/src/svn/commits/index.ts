/*
 * What messages of commits refer to: artifacts in commits, and commits in artifacts (`references.ts`). `last-commits.ts` tells which came last.
 */

export { type KnownCommit, lastCommitsOf } from './last-commits.ts';
export { commitsAsReferences, otherServices, revisionKeywords } from './references.ts';
