/*
 * What types of fields share. A type takes what it needs; nothing here knows which type asks.
 *
 * entry.ts         values in requests and settings: reading them, and the words of refusals
 * amendments.ts    members of entries that add single items to a value, or take them away
 * comparisons.ts, text-search.ts, number-search.ts, date-search.ts   what criteria and queries mean
 * row-cell.ts, across-trackers.ts, csv-cell.ts   cells of tables, of cross-tracker queries and of CSV
 * in-archives.ts   elements of archives
 * element.ts, read-only.ts, number.ts, moment.ts   whole types but for a few words
 * dates.ts         days and times as they are written
 *
 * The contract that every type fulfils is `trackers/field-type.ts`.
 */

export {
  dateCell,
  familyOfList,
  htmlCell,
  labelItem,
  lineCell,
  listCell,
  numberCell,
  personItem,
  strangerItem,
} from './across-trackers.ts';
export {
  amendedIds,
  amendedItems,
  amendedNumbers,
  amendingIn,
  refuseBoth,
  refuseCommon,
} from './amendments.ts';
export {
  type Comparing,
  comparedText,
  comparedToNothing,
  functionNamed,
  incomparable,
  listOperators,
  textual,
  unlessNegated,
} from './comparisons.ts';
export { itemsOf, joinedItems, withPoint, yearFirst } from './csv-cell.ts';
export { dateSearch, daysIn, instantSpan } from './date-search.ts';
export { dayOf, shortDate } from './dates.ts';
export { valuelessElement } from './element.ts';
export {
  count,
  integerIn,
  itemsIn,
  line,
  member,
  mostValues,
  namesSame,
  neededMember,
  numberProperty,
  optionalNumber,
  plainValue,
  readBack,
  refuseProperty,
  refuseTooMany,
  switchedOn,
  textIn,
  textProperty,
  wrongValue,
} from './entry.ts';
export { alwaysWritten, changeOf, valueElement } from './in-archives.ts';
export { momentField } from './moment.ts';
export { numberField } from './number.ts';
export { factSearch, idComparing, numberCriterion, numberIn } from './number-search.ts';
export { readOnly } from './read-only.ts';
export {
  arrayCell,
  factRow,
  isCutCell,
  itemsCell,
  listColumnType,
  textCell,
  typedItem,
  typedPersonItem,
} from './row-cell.ts';
export { criterionText, fileSearch, textSearch } from './text-search.ts';
