import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { createTracker } from './creation.ts';
import type { TrackerExtension } from './extension.ts';
import { createField } from './form-elements.ts';
import { changeLinkType, createLinkType, setDisabledLinkTypes } from './link-types.ts';
import { addListValues, changeListValue } from './list-values.ts';
import { setFieldPermissions, setTrackerPermissions } from './permissions.ts';
import { changeSemantics } from './semantics.ts';
import { changeTracker, type TrackerSettings } from './settings.ts';

/** Everything that changes the structure of trackers. Each runs in one transaction, wherever writes run. */
export function trackerOperations(extensions: readonly TrackerExtension[]) {
  return {
    createTracker,
    changeTracker: (tx: Transaction, viewer: Viewer, change: { id: number } & Partial<TrackerSettings>) =>
      changeTracker(tx, viewer, change, extensions),
    createField,
    addListValues,
    changeListValue,
    setTrackerPermissions,
    setFieldPermissions,
    changeSemantics,
    createLinkType,
    changeLinkType,
    setDisabledLinkTypes,
  };
}
export type TrackerOperations = ReturnType<typeof trackerOperations>;
