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

export { loadFieldParts } from './arriving.tsx';
export { type FoundArtifact, findArtifacts, people, useArtifacts, usePeople } from './calls.ts';
export {
  ChoiceChips,
  ChoiceMark,
  ChoiceMarks,
  cellTypes,
  DueDay,
  FieldCell,
  isRightAligned,
  SecondWords,
} from './cells.tsx';
export {
  type Choice,
  choiceOf,
  choicesIn,
  firstName,
  personOf,
  pictureOf,
  possibleChoices,
  shortName,
} from './choice.ts';
export { filesIn } from './file-facts.tsx';
export { type ArtifactLink, CHILD_LINK, isChildLink, isParentLink, linksIn, withLinks } from './links.ts';
export { chosenIn } from './lists.tsx';
export {
  type CellProps,
  type ControlProps,
  type Criterion,
  type Field,
  type FieldPlace,
  type FieldType,
  type FieldValue,
  type FilterProps,
  may,
  type ReaderProps,
  type RowCell,
  type StatusStages,
  type TextFile,
} from './model.ts';
export { type Reference, referencesIn } from './others.ts';
export { ArtifactFinder, ArtifactLine, LinkAdder, stageOf } from './parts/links.tsx';
export {
  criterionOfAny,
  criterionOfQuery,
  type QueriedValue,
  queriedValues,
  queryFieldOf,
  queryOfCriterion,
  type Turned,
} from './queries.ts';
export { isRelative, relativeQuery } from './relative-days.ts';
export { allowedChoices, brokenDateRules, isWorkflowField, transitionsFrom } from './rules.ts';
export { dueFieldId, stageNamed, statusField, statusStages } from './status.ts';
export { pictureField, useTextTools, withTextFiles } from './text-files.ts';
export { formatOf, sourceOf, type TextFormat } from './texts.ts';
