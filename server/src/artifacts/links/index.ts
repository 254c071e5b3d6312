/*
 * Links between artifacts, and references in texts.
 *
 * plan.ts             what a request for links means: which rows come and go, and which other artifacts change with it
 * linked.ts           links as clients list them: natures, directions, pages of artifacts
 * text-references.ts  finds `art #12` and people in texts while they are saved; references.ts reads what was found
 * of-trackers.ts      which types of links a tracker uses, and which artifacts could be parents
 * retype.ts           gives links another type after the hierarchy of trackers has changed
 *
 * Nobody is shown the other end of a link that they may not see.
 */

export { type Direction, linkLabels, listLinked, listNatures, type Nature } from './linked.ts';
export { findParentArtifacts, findUsedLinkTypes } from './of-trackers.ts';
export { childType, type LinkPlan, type OtherEnd, planLinks } from './plan.ts';
export {
  crossReferences,
  findNeighbourIds,
  findReferences,
  type ReferenceRow,
  readableReferences,
} from './references.ts';
export { hasLinksToRetype, parentChanged, retypeLinks } from './retype.ts';
export {
  findMentioned,
  findReferencedArtifacts,
  type Mentionable,
  recordMentions,
  recordReferences,
  TextReferences,
} from './text-references.ts';
