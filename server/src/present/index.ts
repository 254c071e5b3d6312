/*
 * How things are shown: the representations of the API, from what other rooms have read. Pure functions: nothing here asks a database or waits for one. HTTP answers
 * are made with them, and so are webhooks and mails (`notify/change-showing.ts`).
 *
 * artifacts.ts   artifacts as JSON text, joined from parts that are written already: read it first; changesets.ts, timeline.ts their history
 * rows.ts, cells.ts, flat-artifacts.ts, query-content.ts   artifacts in tables; frame.ts what stands around several of them
 * trackers.ts, form-settings.ts, semantics.ts, workflow.ts, reports.ts, tracker-texts.ts, link-types.ts, list-people.ts   trackers and their forms
 * people.ts, users.ts, user-groups.ts   people; whom people.ts does not know yet it names, and whoever writes the answer fetches them
 * projects.ts, integration.ts, files.ts, svn.ts, svn-revisions.ts, excerpts.ts   the rest
 *
 * The contract types every representation; where one is written as text, `contract` tells the test harness what must come out.
 */

export {
  artifactText,
  artifactTextInParts,
  isOpenArtifact,
  type PresentationContext,
  type PresentedStatus,
  statusOf,
  titleOf,
  type ValueForms,
  ValueWriter,
} from './artifacts.ts';
export { cellsOf } from './cells.ts';
export { changesetTexts, changesetTextsInParts, commentedText, commentVersionsText } from './changesets.ts';
export { htmlOf } from './excerpts.ts';
export { downloadFolder, downloadPath, percentEncoded, presentTemporaryFile } from './files.ts';
export { flatText } from './flat-artifacts.ts';
export { presentFieldSettings } from './form-settings.ts';
export { type Frame, jsonArray } from './frame.ts';
export { presentIntegrationData } from './integration.ts';
export { presentLinkTypeLabels } from './link-types.ts';
export { presentListPeople } from './list-people.ts';
export { People, type PeopleSeen } from './people.ts';
export {
  presentMinimalProject,
  presentProjectField,
  presentService,
  presentSettings,
  projectForm,
  projectText,
} from './projects.ts';
export { contentFrame, contentText, type FoundLink } from './query-content.ts';
export { presentReport, presentReportSettings } from './reports.ts';
export { needsOf, type RowColumn, type RowData, rowColumns, rowFrame, rowText } from './rows.ts';
export { presentAllSemantics } from './semantics.ts';
export {
  type Notified,
  presentDeletedRepository,
  presentMinimalRepository,
  presentRepository,
} from './svn.ts';
export { contentPath, presentChange, presentRevision, svnContentFolder, typeOf } from './svn-revisions.ts';
export { timelineTexts, wholeChangesText } from './timeline.ts';
export {
  minimalTrackerText,
  projectReferenceText,
  trackerGroup,
  trackerReferenceText,
} from './tracker-texts.ts';
export {
  fingerprintOf,
  presentElement,
  presentFieldPermissions,
  presentMinimalTracker,
  presentOverviews,
  presentTracker,
  presentTrackerPermissions,
  presentTrackerSettings,
} from './trackers.ts';
export { type GroupPresenter, presentFullUserGroup, presentUserGroup } from './user-groups.ts';
export {
  defaultAvatar,
  presentAnonymous,
  presentMinimalUser,
  presentUser,
  presentUserWithResources,
} from './users.ts';
export {
  type ArtifactForm,
  formOf,
  presentActions,
  presentRules,
  presentTransition,
  presentTrigger,
} from './workflow.ts';
