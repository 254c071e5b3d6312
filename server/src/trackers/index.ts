/*
 * Trackers: forms, lists, permissions, workflow and reports. Each sub-room has a map of its own.
 *
 * model.ts      Tracker and Field; tracker-parts.ts and governance.ts what they are made of
 * field-type.ts FieldType, the contract that every type of field fulfils: read it first
 * compile.ts    rows of the database (store.ts, governance-rows.ts) become a Tracker, once per revision (compile-governance.ts); cache.ts keeps it
 * view.ts       a tracker as one viewer may see and use it; seen.ts, policy.ts who may; groups.ts whom permissions can name
 * field-types/  one file a type; field-kit/ and lists/ what types share
 * form/  admin/  workflow/  reports/   changing trackers, by subject
 * query/        conditions that searches are made of; open-condition.ts; text/ renders what people write
 * list.ts, in-projects.ts, quick-search.ts   trackers of a project, and by words; field-mapping.ts fields that take over values of another tracker's
 * link-types.ts, sums.ts   types of links; fields that sum up over them; texts.ts names and paragraphs that people write
 * changed.ts    what every change of a tracker tells (history.ts); extension.ts what rooms above do then
 *
 * Nothing above asks which type a field has: what differs between types is a member of FieldType.
 */

export {
  checkNewTracker,
  type DeletedTracker,
  grantable,
  insertStructure,
  insertTriggers,
  listDeletedTrackers,
  type NewTracker,
  type SemanticChanges,
  setParent,
  type TrackerSettings,
} from './admin/index.ts';
export { Trackers } from './cache.ts';
export { byRank, loadRemovedElements, loadTracker } from './compile.ts';
export type {
  ContributionChange,
  FieldRenaming,
  OutsideReference,
  ParentChange,
  ReferenceSource,
  TrackerExtension,
  ValueRenaming,
} from './extension.ts';
export {
  amendingIn,
  arrayCell,
  comparedText,
  comparedToNothing,
  dateCell,
  htmlCell,
  incomparable,
  instantSpan,
  isCutCell,
  labelItem,
  listCell,
  listOperators,
  numberCell,
  personItem,
  refuseBoth,
  textual,
  unlessNegated,
  wrongValue,
} from './field-kit/index.ts';
export { takeOver, takersOf } from './field-mapping.ts';
export type {
  AlwaysThere,
  ArchiveReading,
  ArchiveWriting,
  CellReading,
  CellTexts,
  DateOrder,
  DescribingContext,
  Description,
  Entry,
  Family,
  FieldType,
  FlatValue,
  LinkRequest,
  Moved,
  MovingContext,
  Need,
  RowSort,
  SearchContext,
  ShowingContext,
  ShownFacts,
  Stored,
  StoredLink,
  StoredText,
  WritingContext,
} from './field-type.ts';
export { archivedInstant, fieldTypes, lineOf, showText, storedText, wordsIn } from './field-types/index.ts';
export {
  archivedProperties,
  chosenValueObstacle,
  type FieldChange,
  type FieldPatch,
  type NewField,
  type NewListValue,
  preferredTextFormat,
  propertiesFromArchive,
  queriesOfAccounts,
  readFormPreferences,
  shownProperties,
  usesOf,
} from './form/index.ts';
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
} from './governance.ts';
export { groupName, requireGroups, sameGroups } from './groups.ts';
export { trackersInProjects } from './in-projects.ts';
export {
  isEverywhere,
  isSystemType,
  type LinkType,
  listLinkTypes,
  readDisabledLinkTypes,
  usableLinkTypes,
} from './link-types.ts';
export { listTrackers, reasonsAgainstTitleOnly } from './list.ts';
export {
  archivedNumber,
  archivedValues,
  bindKinds,
  bindOf,
  bindRules,
  type FormReading,
  findPeople,
  paletteColor,
  plainId,
  refuseManyValues,
  refuseOtherThanSelf,
  typedIn,
  typedLabels,
  typedValueFor,
  unknownValues,
} from './lists/index.ts';
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
export { isOpenCondition } from './open-condition.ts';
export { trackerOperations, trackerSearches } from './operations.ts';
export {
  maySeeTrackersOf,
  requireTrackerAdministrator,
  requireTrackersOf,
  unknownTracker,
} from './policy.ts';
export {
  allOf,
  anyOf,
  anything,
  type ComparedValue,
  type Comparison,
  type Condition,
  type Criterion,
  type CriterionOperator,
  criterionOperators,
  type Fact,
  type FurtherOperator,
  furtherOperators,
  type LinkEnd,
  not,
  nothing,
  type Operator,
  onPart,
  type Period,
  type Range,
  type ReportCriterion,
  whoAsks,
} from './query/index.ts';
export { titledTrackers } from './quick-search.ts';
export {
  columnsOf,
  countReportsByField,
  type ListedReport,
  listReports,
  loadPublicReports,
  mayName,
  type NewRenderer,
  type NewReport,
  type Renderer,
  type Report,
  type ReportColumn,
  type ReportLanguage,
  type ReportRequest,
  reportOperations,
  requireReport,
  type SavedCriterion,
  type SeenReport,
  type SortKey,
  shownColumns,
  shownSettings,
  usualTable,
} from './reports/index.ts';
export { findTrackerNamed, findTrackerOf } from './store.ts';
export { findSummingTrackers, findSums } from './sums.ts';
export {
  isTextFormat,
  mostTextBytes,
  type PreparedText,
  plainText,
  prepareText,
  rendererVersion,
  renderText,
  type TextFormat,
} from './text/index.ts';
export { type TrackerView, viewOf } from './view.ts';
export {
  brokenRules,
  type CopiedIds,
  labelOfState,
  nameOfStep,
  requireTrackerOfTransition,
  requireTransition,
  type Step,
  stateOf,
  stepOf,
  valuesSetBy,
  workflowOperations,
} from './workflow/index.ts';
