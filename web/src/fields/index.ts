/*
 * All that is known about types of fields. Nobody else names a type: others ask what a field can do.
 *
 * model.ts          FieldType, the contract that every type fulfils: read it first; simple.ts what most share
 * types.ts          the list of all types, from words.ts, texts.ts, numbers.ts, dates.ts, lists.tsx, files.ts, links.ts, permissions.ts, others.ts
 * abilities.ts      what others ask: what a field holds, whether it is about people; elements.ts what stands in a form and holds no value
 * cells.tsx         values in rows of a table; parts/ what reads, changes and filters them, and what forms are built of, which arrive later (arriving.tsx)
 * changed-by-other.tsx what stands below a control; choice.ts, file-facts.tsx, days.ts, text-files.ts, status.ts   what values consist of; rules.ts what may be chosen now
 * queries.ts, query-words.ts, relative-days.ts, filter-words.ts   filters, and conditions of queries; bulk.tsx many artifacts at once
 *
 * A new type is one entry beside its likes and one line in types.ts (docs/how-to/field-type.md).
 */

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
export { ChangedByOther } from './changed-by-other.tsx';
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
export { ArtifactFinder, ArtifactLine, LinkAdder } from './parts/links.tsx';
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
