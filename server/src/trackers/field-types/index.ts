/*
 * One file a type of form element, and nothing else. A new type is one file here and one line below: `docs/how-to/field-type.md` walks through it. The
 * contract is `FieldType` in `trackers/field-type.ts`; what types share is in `field-kit/`, and in `lists/` for those that hold values of a list.
 */

import type { FieldType } from '../field-type.ts';
import { aidField } from './aid.ts';
import { artLinkField } from './art-link.ts';
import { atidField } from './atid.ts';
import { burndownField } from './burndown.ts';
import { cbField } from './cb.ts';
import { columnElement } from './column.ts';
import { computedField } from './computed.ts';
import { crossField } from './cross.ts';
import { dateField } from './date.ts';
import { fieldsetElement } from './fieldset.ts';
import { fileField } from './file.ts';
import { floatField } from './float.ts';
import { intField } from './int.ts';
import { linebreakElement } from './linebreak.ts';
import { lubyField } from './luby.ts';
import { ludField } from './lud.ts';
import { msbField } from './msb.ts';
import { permField } from './perm.ts';
import { priorityField } from './priority.ts';
import { rbField } from './rb.ts';
import { sbField } from './sb.ts';
import { separatorElement } from './separator.ts';
import { staticrichtextElement } from './staticrichtext.ts';
import { stringField } from './string.ts';
import { subbyField } from './subby.ts';
import { subonField } from './subon.ts';
import { tblField } from './tbl.ts';
import { textField } from './text.ts';

/** Every type of form element. A new one is one file here and one line below. */
const types: readonly FieldType[] = [
  stringField,
  textField,
  intField,
  floatField,
  dateField,
  sbField,
  rbField,
  msbField,
  cbField,
  tblField,
  fileField,
  artLinkField,
  permField,
  computedField,
  burndownField,
  aidField,
  atidField,
  priorityField,
  subbyField,
  lubyField,
  subonField,
  ludField,
  crossField,
  fieldsetElement,
  columnElement,
  linebreakElement,
  separatorElement,
  staticrichtextElement,
];

export const fieldTypes: ReadonlyMap<string, FieldType> = new Map(types.map((type) => [type.code, type]));
export { archivedInstant } from './date.ts';
export { lineOf } from './string.ts';
export { showText, storedText, wordsIn } from './text.ts';
