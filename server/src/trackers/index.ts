export type { FormReading } from './binds/bind-rules.ts';
export { bindKinds, bindOf, bindRules } from './binds/index.ts';
export { archivedValues } from './binds/static.ts';
export { byRank, loadRemovedElements, loadTracker } from './compile.ts';
export type { Condition, Fact, LinkEnd, Range } from './condition.ts';
export { allOf, anyOf, anything, not, nothing, onPart } from './conditions.ts';
export type { NewTracker } from './creation.ts';
export {
  type ContributionChange,
  type OutsideReference,
  type ParentChange,
  type ReferenceSource,
  type TrackerExtension,
  trackersInProjects,
} from './extension.ts';
export type { FieldPatch } from './field-changes.ts';
export type { FieldChange } from './field-settings.ts';
export {
  type AlwaysThere,
  dateCell,
  type Family,
  htmlCell,
  labelItem,
  listCell,
  numberCell,
  personItem,
} from './fields/across.ts';
export type { ArchiveReading, ArchiveWriting } from './fields/archived.ts';
export type { CellReading, CellRules } from './fields/cell.ts';
export {
  comparedText,
  comparedToNothing,
  incomparable,
  listed,
  textual,
  unlessNegated,
} from './fields/comparing.ts';
export { archivedInstant, measureOf } from './fields/date.ts';
export { instantSpan } from './fields/date-search.ts';
export type {
  ArtifactFacts,
  DescribingContext,
  Entry,
  FieldType,
  FlatValue,
  LinkWish,
  Moved,
  MovingContext,
  Need,
  ShowingContext,
  Stored,
  StoredLink,
  StoredText,
  WritingContext,
} from './fields/field-type.ts';
export { fieldTypes } from './fields/index.ts';
export { plainId, refuseManyValues, requireSelf, unknownValues } from './fields/list-search.ts';
export {
  type ComparedValue,
  type Comparison,
  type Criterion,
  type CriterionOperator,
  criterionOperators,
  type Operator,
  type Period,
  type SearchContext,
  type SearchRules,
} from './fields/searching.ts';
export { lineOf } from './fields/string.ts';
export { showText, storedText, wordsIn } from './fields/text.ts';
export type { NewField } from './form-elements.ts';
export { type FormPreferences, preferredTextFormat, readFormPreferences } from './form-preferences.ts';
export { groupName, requireGroups, sameGroups } from './groups.ts';
export { insertStructure, insertTriggers, type NewStructure, setParent } from './importing.ts';
export {
  isSystemType,
  type LinkType,
  listLinkTypes,
  readDisabledLinkTypes,
  usableLinkTypes,
} from './link-types.ts';
export type { NewListValue } from './list-values.ts';
export { listTrackers, reasonsAgainstTitleOnly, type TrackerListing } from './listing.ts';
export {
  type Bind,
  type Field,
  type FieldPermission,
  fieldPermissions,
  type Grants,
  type KeptSettings,
  type ListValue,
  noneValue,
  type ProjectReference,
  type SemanticName,
  type Semantics,
  type Tracker,
  type TrackerPermission,
  trackerPermissions,
} from './model.ts';
export { takeOver, takersOf } from './moving.ts';
export { type TrackerOperations, trackerOperations } from './operations.ts';
export { findPeople } from './people.ts';
export { grantable } from './permissions.ts';
export { maySeeTrackersOf, requireTrackerAdministrator, requireTrackersOf } from './policy.ts';
export { shownProperties } from './properties.ts';
export { archivedProperties, propertiesFromArchive } from './properties-archived.ts';
export { type ReportLanguage, type ReportWish, reportOperations } from './reports/changes.ts';
export {
  type Column,
  columnsOf,
  mayName,
  type NewReport,
  type NewReportTable,
  type Report,
  type ReportTable,
  type SavedCriterion,
  type SortKey,
  shownColumns,
} from './reports/model.ts';
export { type ListedReport, listReports, requireReport, type SeenReport } from './reports/reading.ts';
export { loadPublicReports } from './reports/store.ts';
export type { SemanticChanges } from './semantics.ts';
export type { TrackerSettings } from './settings.ts';
export { findTrackerNamed, findTrackerOf } from './store.ts';
export { findSummingTrackers, findSums } from './sums.ts';
export {
  candidatesIn,
  isTextFormat,
  type PreparedText,
  plainText,
  prepareText,
  type ReferenceResolver,
  rendererVersion,
  renderText,
  type TextFormat,
} from './text/index.ts';
export { type DeletedTracker, listDeletedTrackers } from './tracker-removal.ts';
export { Trackers } from './trackers.ts';
export { typedLabels, typedValueFor } from './typed-values.ts';
export { type ArtifactAccess, type TrackerView, viewOf } from './view.ts';
export { type CopiedIds, copyGovernance } from './workflow/copying.ts';
export {
  type Comparator,
  comparators,
  type FieldValue,
  type PostAction,
  type Rules,
  referenceOf,
  type StoredPostAction,
  type Transition,
  type Trigger,
  type Workflow,
} from './workflow/model.ts';
export { workflowOperations } from './workflow/operations.ts';
export { brokenRules } from './workflow/rules.ts';
export { labelOfState, nameOfStep, type Step, stateOf, stepOf, valuesSetBy } from './workflow/steps.ts';
export { requireTrackerOfTransition, requireTransition } from './workflow/transitions.ts';
