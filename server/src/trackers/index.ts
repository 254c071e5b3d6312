export type { NewTracker } from './admin/create.ts';
export { type DeletedTracker, listDeletedTrackers } from './admin/delete.ts';
export { groupName, requireGroups, sameGroups } from './admin/groups.ts';
export { insertStructure, insertTriggers, type NewStructure, setParent } from './admin/import.ts';
export {
  isSystemType,
  type LinkType,
  listLinkTypes,
  readDisabledLinkTypes,
  usableLinkTypes,
} from './admin/link-types.ts';
export { grantable } from './admin/permissions.ts';
export type { SemanticChanges } from './admin/semantics.ts';
export type { TrackerSettings } from './admin/settings.ts';
export { Trackers } from './cache.ts';
export { byRank, loadRemovedElements, loadTracker } from './compile.ts';
export type {
  ContributionChange,
  OutsideReference,
  ParentChange,
  ReferenceSource,
  TrackerExtension,
} from './extension.ts';
export {
  dateCell,
  htmlCell,
  labelItem,
  listCell,
  numberCell,
  personItem,
} from './field-kit/across-trackers.ts';
export {
  comparedText,
  comparedToNothing,
  incomparable,
  listed,
  textual,
  unlessNegated,
} from './field-kit/comparisons.ts';
export { instantSpan } from './field-kit/date-search.ts';
export type {
  AlwaysThere,
  ArchiveReading,
  ArchiveWriting,
  ArtifactFacts,
  CellReading,
  CellRules,
  CellTexts,
  DescribingContext,
  Entry,
  Family,
  FieldType,
  FlatValue,
  LinkRequest,
  Moved,
  MovingContext,
  Need,
  RowColumnType,
  RowRules,
  RowSort,
  SearchContext,
  SearchRules,
  ShowingContext,
  Stored,
  StoredLink,
  StoredText,
  WritingContext,
} from './field-kit/field-type.ts';
export { plainId, refuseManyValues, requireSelf, unknownValues } from './field-kit/list-search.ts';
export { arrayCell, isCutCell } from './field-kit/row-cell.ts';
export {
  type ComparedValue,
  type Comparison,
  type Criterion,
  type CriterionOperator,
  criterionOperators,
  type FurtherOperator,
  furtherOperators,
  type Operator,
  type Period,
  type ReportCriterion,
  whoAsks,
} from './field-kit/search-terms.ts';
export { takeOver, takersOf } from './field-mapping.ts';
export { archivedInstant, measureOf } from './field-types/date.ts';
export { fieldTypes } from './field-types/index.ts';
export { lineOf } from './field-types/string.ts';
export { showText, storedText, wordsIn } from './field-types/text.ts';
export type { FieldPatch } from './form/change-field.ts';
export type { NewField } from './form/elements.ts';
export type { FieldChange } from './form/field-settings.ts';
export { type FormPreferences, preferredTextFormat, readFormPreferences } from './form/preferences.ts';
export { shownProperties } from './form/properties.ts';
export { archivedProperties, propertiesFromArchive } from './form/properties-in-archives.ts';
export { trackersInProjects } from './in-projects.ts';
export { listTrackers, reasonsAgainstTitleOnly, type TrackerListing } from './list.ts';
export type { FormReading } from './lists/bind-rules.ts';
export { bindKinds, bindOf, bindRules } from './lists/index.ts';
export { findPeople } from './lists/people.ts';
export { archivedValues, paletteColor } from './lists/static.ts';
export { typedIn, typedLabels, typedValueFor } from './lists/typed-values.ts';
export type { NewListValue } from './lists/values.ts';
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
export { type TrackerOperations, trackerOperations, trackerSearches } from './operations.ts';
export { maySeeTrackersOf, requireTrackerAdministrator, requireTrackersOf } from './policy.ts';
export { allOf, anyOf, anything, isOpenCondition, not, nothing, onPart } from './query/combine.ts';
export type { Condition, Fact, LinkEnd, Range } from './query/condition.ts';
export { type NamedReport, type NamedTracker, titledTrackers } from './quick-search.ts';
export { type ReportLanguage, type ReportRequest, reportOperations } from './reports/change.ts';
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
  usualTable,
} from './reports/model.ts';
export { type ListedReport, listReports, requireReport, type SeenReport } from './reports/read.ts';
export { loadPublicReports } from './reports/store.ts';
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
export { type ArtifactAccess, type TrackerView, viewOf } from './view.ts';
export { type CopiedIds, copyGovernance } from './workflow/copy.ts';
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
