/*
 * Lists: what can be chosen, and fields that hold what was chosen.
 *
 * bind-rules.ts  BindRules, what a source of values must know: read it first; binds.ts chooses among static.ts, users.ts and ugroups.ts
 * list-field.ts  a type of field that holds values of a list; person-field.ts one that holds a person
 * list-search.ts what criteria and queries mean for lists; list-column.ts their cells in CSV
 * people.ts      whom a list of people offers; typed-values.ts what people typed into open lists
 */

export type { FormReading } from './bind-rules.ts';
export { bindKinds, bindOf, bindRules } from './binds.ts';
export { initialValues, isSameSet, listField, refuseUnknown, shownIds } from './list-field.ts';
export {
  criterionIds,
  type Lookup,
  listComparing,
  listedAmong,
  plainId,
  refuseManyValues,
  refuseOtherThanSelf,
  unknownValues,
} from './list-search.ts';
export { candidatesAmong, findPeople, valuesAmong } from './people.ts';
export { personField } from './person-field.ts';
export { archivedNumber, archivedValues, everValueById, isTakenForValue, paletteColor } from './static.ts';
export {
  describeTypedValues,
  findTypedValue,
  typedIn,
  typedLabels,
  typedLike,
  typedValueFor,
} from './typed-values.ts';
