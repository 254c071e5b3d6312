import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import {
  changeLinkType,
  changeSemantics,
  changeTracker,
  createLinkType,
  createTracker,
  deleteLinkType,
  deleteTracker,
  restoreTracker,
  setAllFieldPermissions,
  setDisabledLinkTypes,
  setFieldPermissions,
  setTrackerPermissions,
} from './admin/index.ts';
import type { TrackerExtension } from './extension.ts';
import {
  addListValues,
  changeField,
  changeListValue,
  createField,
  patchField,
  removeField,
  removeListValue,
  restoreField,
} from './form/index.ts';

type Extended<Input, Output> = (
  tx: Transaction,
  viewer: Viewer,
  input: Input,
  extensions: readonly TrackerExtension[],
) => Promise<Output>;

import { searchReports, searchTrackers } from './quick-search.ts';

/** Everything that changes the structure of trackers. Each runs in one transaction, wherever writes run. */
export function trackerOperations(extensions: readonly TrackerExtension[]) {
  const extended =
    <Input, Output>(operation: Extended<Input, Output>) =>
    (tx: Transaction, viewer: Viewer, input: Input) =>
      operation(tx, viewer, input, extensions);
  return {
    createTracker,
    changeTracker: extended(changeTracker),
    deleteTracker: extended(deleteTracker),
    restoreTracker: extended(restoreTracker),
    createField: extended(createField),
    patchField: extended(patchField),
    changeField: extended(changeField),
    removeField: extended(removeField),
    restoreField: extended(restoreField),
    addListValues,
    changeListValue: extended(changeListValue),
    removeListValue,
    setTrackerPermissions,
    setFieldPermissions,
    setAllFieldPermissions,
    changeSemantics,
    createLinkType,
    changeLinkType,
    deleteLinkType,
    setDisabledLinkTypes,
  };
}

/** Reads that look through more than an index, and so run off the event loop. */
export const trackerSearches = { searchTrackers, searchReports };
