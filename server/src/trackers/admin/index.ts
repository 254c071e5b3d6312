/*
 * Trackers as a whole: made, copied, imported, changed, deleted.
 *
 * create.ts, copy.ts, import.ts   a new tracker: empty, like another one, or from an archive
 * settings.ts, hierarchy.ts, permissions.ts, semantics.ts, link-types.ts   one kind of change each
 * delete.ts   deleted trackers, and bringing them back
 *
 * Every change raises the revision `structure`, so that no thread goes on with what it remembers.
 */

export { checkNewTracker, createTracker, fillWithTrackers, type NewTracker } from './create.ts';
export { type DeletedTracker, deleteTracker, listDeletedTrackers, restoreTracker } from './delete.ts';
export { insertStructure, insertTriggers, setParent } from './import.ts';
export { changeLinkType, createLinkType, deleteLinkType, setDisabledLinkTypes } from './link-types.ts';
export {
  grantable,
  grantUsual,
  setAllFieldPermissions,
  setFieldPermissions,
  setTrackerPermissions,
} from './permissions.ts';
export { changeSemantics, type SemanticChanges } from './semantics.ts';
export { changeTracker, type TrackerSettings } from './settings.ts';
