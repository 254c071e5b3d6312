/*
 * The form of a tracker: which fields there are, where they stand and how they are set.
 *
 * elements.ts     new ones; places.ts where they stand; properties.ts, properties-in-archives.ts their settings
 * change-field.ts changes that the compatible API knows; field-settings.ts all others; remove-field.ts takes one out and back in
 * list-values.ts, change-value.ts, new-bind.ts   values of lists
 * rename.ts       what follows fields, values and people that get other names
 * uses.ts         what keeps a field or a value from being removed
 * preferences.ts  how one viewer likes to see the form
 */

export { type FieldPatch, patchField } from './change-field.ts';
export { changeListValue, removeListValue } from './change-value.ts';
export { createField, type NewField } from './elements.ts';
export { changeField, type FieldChange } from './field-settings.ts';
export { addListValues, type NewListValue } from './list-values.ts';
export { preferredTextFormat, readFormPreferences } from './preferences.ts';
export { shownProperties } from './properties.ts';
export { archivedProperties, propertiesFromArchive } from './properties-in-archives.ts';
export { removeField, restoreField } from './remove-field.ts';
export { queriesOfAccounts } from './rename.ts';
export { chosenValueObstacle, usesOf } from './uses.ts';
