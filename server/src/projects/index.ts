/*
 * Projects, and who is what in them.
 *
 * model.ts, store.ts      projects, each with the membership of one account beside it
 * project-access.ts       what a viewer is in a project; require-access.ts, policy.ts refuse: read these first
 * create.ts, templates.ts, built-in.ts, import.ts, deletion.ts   how projects come and go
 * user-groups.ts, groups.ts, group-members.ts, memberships.ts, member-changes.ts, people.ts   people and their groups
 * services.ts, built-in-services.ts, labels.ts, project-fields.ts, project-settings.ts, appearance.ts   what a project chooses
 * references.ts           `keyword #number` in texts; history.ts, activity.ts, figures.ts, list.ts what is told of projects
 * changed.ts              what every change of a project tells; extension.ts what rooms above do then
 *
 * A project that somebody may not see is as if it were not there.
 */

export { readActivity } from './activity.ts';
export { readBanner } from './appearance.ts';
export { insertBuiltInProjects } from './built-in.ts';
export { administrationPage, projectPage } from './built-in-services.ts';
export {
  checkNewProject,
  createProject,
  firstAdministratorId,
  type NewProject,
  statusOfNew,
} from './create.ts';
export {
  type DeletedProject,
  findDuePurges,
  finishPurge,
  listDeletedProjects,
  readDeletedProject,
} from './deletion.ts';
export {
  type Activity,
  type ActivityEntry,
  type ProjectChange,
  type ProjectExtension,
  type ReferenceKeyword,
  resourceTypes,
  type TemplateSource,
} from './extension.ts';
export { type ProjectFigures, readFigures } from './figures.ts';
export { accountIdsIn, findMembersOfGroups, listGroupMembers } from './group-members.ts';
export {
  builtInGroups,
  endlessGroups,
  formatGroupId,
  type GroupLabels,
  groupIds,
  groupLabel,
  parseGroupAddress,
} from './groups.ts';
export { type HistoryEntry, readProjectHistory, recordInHistory } from './history.ts';
export {
  addGroupMembers,
  addMembers,
  checkImportedShortname,
  type ImportedGroup,
  type ImportedMembership,
  type ImportedProject,
  insertHiddenGroups,
  insertHiddenProject,
  mergeHiddenProject,
  removeHiddenProject,
  requireFreeShortname,
  showProject,
} from './import.ts';
export { defaultLabelColor, type Label, listLabels } from './labels.ts';
export { listProjects, type ProjectCriterion } from './list.ts';
export {
  countMemberships,
  delegatedMemberships,
  type Memberships,
  membershipWords,
  readMemberships,
} from './memberships.ts';
export {
  type AccessLevel,
  defaultTemplateId,
  isHidden,
  isPrivate,
  type Project,
  type ProjectStatus,
  shortnameKey,
} from './model.ts';
export { type ProjectOperations, projectOperations, projectSearches } from './operations.ts';
export type { ProjectMember } from './people.ts';
export {
  type AccessTarget,
  countsAsAdministrator,
  isShutOut,
  mayAccess,
  mayCreateProjects,
  requireAdministrator,
} from './policy.ts';
export {
  type ProjectAccess,
  ProjectAccesses,
  readProjectAccess,
  requireAccessibleProject,
} from './project-access.ts';
export {
  allProjectFields,
  listProjectFields,
  type ProjectField,
  type ProjectFieldValue,
  parseFieldValues,
  rememberedProjectFields,
} from './project-fields.ts';
export {
  isMailTruncated,
  type ProjectSettings,
  type ProjectSettingsChanges,
  readProjectSettings,
} from './project-settings.ts';
export {
  extractReferences,
  findReferenceCandidates,
  type Reference,
  type ReferenceCandidate,
  referenceKeywords,
  resolveCandidates,
} from './references.ts';
export {
  groupsOf,
  readProject,
  readProjectNamed,
  requireProject,
  requireProjectAccess,
  requireProjectWritable,
} from './require-access.ts';
export {
  allServices,
  type ImportedService,
  insertImportedServices,
  isServiceAddress,
  isServiceName,
  listServices,
  longestServiceLabel,
  readService,
  type Service,
  usesService,
  visibleServices,
} from './services.ts';
export { accessibleTo, findProject, findProjectByShortname, projectsWithOwn } from './store.ts';
export { comesFromArchive, shippedTemplateNamed, shippedTemplates } from './templates.ts';
export { listUserGroups, requireUserGroup, restIdOf, type UserGroup } from './user-groups.ts';
