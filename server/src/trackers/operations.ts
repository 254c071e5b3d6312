import type { Viewer } from '../kernel/viewer.ts';
import type { Transaction } from '../storage/index.ts';
import { createTracker } from './creation.ts';
import type { TrackerExtension } from './extension.ts';
import { patchField } from './field-changes.ts';
import { removeField, restoreField } from './field-removal.ts';
import { changeField } from './field-settings.ts';
import { createField } from './form-elements.ts';
import { changeLinkType, createLinkType, deleteLinkType, setDisabledLinkTypes } from './link-types.ts';
import { addListValues } from './list-values.ts';
import { setFieldPermissions, setTrackerPermissions } from './permissions.ts';
import { changeSemantics } from './semantics.ts';
import { changeTracker } from './settings.ts';
import { deleteTracker, restoreTracker } from './tracker-removal.ts';
import { changeListValue, removeListValue } from './value-changes.ts';

type Extended<Input, Output> = (
  tx: Transaction,
  viewer: Viewer,
  input: Input,
  extensions: readonly TrackerExtension[],
) => Promise<Output>;

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
