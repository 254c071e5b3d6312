/*
 * What messages of commits refer to: artifacts in commits, and commits in artifacts (`references.ts`).
 */

export { commitsAsReferences, otherServices, revisionKeywords } from './references.ts';
