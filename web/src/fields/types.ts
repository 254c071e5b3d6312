import { dateType, ludType, subonType } from './dates.ts';
import { fileType } from './files.ts';
import { artLinkType } from './links.ts';
import { cbType, lubyType, msbType, rbType, sbType, subbyType, tblType } from './lists.tsx';
import type { FieldType } from './model.ts';
import { aidType, atidType, computedType, floatType, intType, priorityType } from './numbers.ts';
import { burndownType, crossType, otherType } from './others.ts';
import { permType } from './permissions.ts';
import { textType } from './texts.ts';
import { stringType } from './words.ts';

const types = [
  stringType,
  textType,
  intType,
  floatType,
  dateType,
  sbType,
  rbType,
  msbType,
  cbType,
  tblType,
  fileType,
  artLinkType,
  permType,
  computedType,
  burndownType,
  aidType,
  atidType,
  priorityType,
  subbyType,
  lubyType,
  subonType,
  ludType,
  crossType,
];

export const fieldTypes: Readonly<Record<string, FieldType>> = Object.fromEntries(
  types.map((type) => [type.code, type]),
);

/** What is known about a type, also one that nobody has heard of. */
export const fieldTypeOf = (code: string): FieldType => fieldTypes[code] ?? otherType;
