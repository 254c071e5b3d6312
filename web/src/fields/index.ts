export { fieldHolding, holds, isOfPeople } from './abilities.ts';
export { loadFieldParts } from './arriving.tsx';
export { type BulkAct, type BulkRules, bulkRulesOf } from './bulk.tsx';
export { type FoundArtifact, findArtifacts, people, useArtifacts, usePeople } from './calls.ts';
export {
  ChoiceChips,
  ChoiceMark,
  ChoiceMarks,
  cellTypes,
  DueDay,
  FieldCell,
  isRightAligned,
  isTextColumn,
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
export { type ElementShape, isContainer, shapeOf } from './elements.ts';
export { describedAnew, filesIn, filesOf } from './file-facts.tsx';
export { type ArtifactLink, CHILD_LINK, isChildLink, isParentLink, linksIn, withLinks } from './links.ts';
export { chosenIn, valueWith } from './lists.tsx';
export {
  type CellProps,
  type ControlProps,
  type Criterion,
  type Field,
  type FieldContent,
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
export {
  type AddableElement,
  actionTypeOf,
  addableElements,
  elementName,
  type FormElementType,
  type FormProperty,
  fieldOfSettings,
  fieldsFor,
  formElementType,
  newElements,
} from './parts/form-elements.ts';
export { ArtifactFinder, ArtifactLine, LinkAdder, stageOf } from './parts/links.tsx';
export {
  criterionOfAny,
  criterionOfQuery,
  crossQueryFieldOf,
  type QueriedValue,
  queriedValues,
  queryFieldOf,
  queryOfCriterion,
  type Turned,
} from './queries.ts';
export { faultWords, isNewWanted, problemWords } from './query-words.ts';
export { isRelative, relativeQuery } from './relative-days.ts';
export { allowedChoices, brokenDateRules, isWorkflowField, transitionsFrom } from './rules.ts';
export { dueFieldId, stageNamed, statusField, statusStages } from './status.ts';
export { pictureField, useTextTools, withTextFiles } from './text-files.ts';
export { formatOf, sourceOf, type TextFormat, withText } from './texts.ts';
export { fieldTypeOf, fieldTypes } from './types.ts';
