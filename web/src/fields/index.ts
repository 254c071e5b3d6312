export {
  ChoiceChips,
  ChoiceMark,
  ChoiceMarks,
  cellTypes,
  DueDay,
  FieldCell,
  isRightAligned,
} from './cells.tsx';
export {
  type Choice,
  choicesIn,
  firstName,
  personOf,
  pictureOf,
  possibleChoices,
  shortName,
} from './choice.ts';
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
} from './model.ts';
export { dueFieldId, statusField, statusStages } from './status.ts';
