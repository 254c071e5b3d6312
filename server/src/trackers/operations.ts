import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { createTracker } from './admin/create.ts';
import { deleteTracker, restoreTracker } from './admin/delete.ts';
import { changeLinkType, createLinkType, deleteLinkType, setDisabledLinkTypes } from './admin/link-types.ts';
import { setFieldPermissions, setTrackerPermissions } from './admin/permissions.ts';
import { changeSemantics } from './admin/semantics.ts';
import { changeTracker } from './admin/settings.ts';
import type { TrackerExtension } from './extension.ts';
import { patchField } from './form/change-field.ts';
import { createField } from './form/elements.ts';
import { changeField } from './form/field-settings.ts';
import { removeField, restoreField } from './form/remove-field.ts';
import { changeListValue, removeListValue } from './lists/change-value.ts';
import { addListValues } from './lists/values.ts';

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
    changeSemantics,
    createLinkType,
    changeLinkType,
    deleteLinkType,
    setDisabledLinkTypes,
  };
}
export type TrackerOperations = ReturnType<typeof trackerOperations>;

/** Reads that look through more than an index, and so run off the event loop. */
export const trackerSearches = { searchTrackers, searchReports };
