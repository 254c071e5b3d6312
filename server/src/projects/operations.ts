import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { setBanner, setHeaderBackground } from './appearance.ts';
import { createProject, type NewProject } from './create.ts';
import { beginPurge, deleteProject, requestPurge, restoreProject } from './deletion.ts';
import type { ProjectExtension } from './extension.ts';
import { changeLabel, createLabel, deleteLabel } from './labels.ts';
import {
  changeProjectStatus,
  listSortedProjects,
  type SortedProjectListing,
  searchProjects,
} from './list.ts';
import { changeGroupMembers, replaceGroupMembers } from './member-changes.ts';
import { listMemberships } from './memberships.ts';
import { listPeople, listProjectMembers, type PeopleSearch } from './people.ts';
import { changeProjectField, createProjectField, deleteProjectField } from './project-fields.ts';
import { changeProjectSettings } from './project-settings.ts';
import { extractReferences } from './references.ts';
import { changeService, createService, deleteService, orderServices, switchService } from './services.ts';
import { changeUserGroup, createUserGroup, deleteUserGroup } from './user-groups.ts';

/** Work that lets the rooms above follow what it does. */
const withExtensions =
  <Input, Output>(
    work: (
      tx: Transaction,
      viewer: Viewer,
      input: Input,
      extensions: readonly ProjectExtension[],
    ) => Promise<Output>,
    extensions: readonly ProjectExtension[],
  ) =>
  (tx: Transaction, viewer: Viewer, input: Input) =>
    work(tx, viewer, input, extensions);

/** Everything that changes projects. Each runs in one transaction, wherever writes run. */
export function projectOperations(extensions: readonly ProjectExtension[]) {
  return {
    createProject: (tx: Transaction, viewer: Viewer, project: NewProject) =>
      createProject(tx, viewer, project, extensions),
    changeProjectStatus,
    changeProjectSettings,
    deleteProject,
    restoreProject,
    requestPurge,
    beginPurge,
    setBanner,
    setHeaderBackground,
    createProjectField,
    changeProjectField,
    deleteProjectField,
    switchService,
    createService,
    changeService,
    deleteService,
    orderServices,
    createLabel,
    changeLabel,
    deleteLabel,
    createUserGroup,
    changeUserGroup: withExtensions(changeUserGroup, extensions),
    deleteUserGroup: withExtensions(deleteUserGroup, extensions),
    replaceGroupMembers: withExtensions(replaceGroupMembers, extensions),
    changeGroupMembers: withExtensions(changeGroupMembers, extensions),
  };
}
export type ProjectOperations = ReturnType<typeof projectOperations>;

/** Reads that take their time, and so run off the event loop. */
export function projectSearches(extensions: readonly ProjectExtension[]) {
  return {
    listMemberships,
    listSortedProjects: (reader: Reader, viewer: Viewer, listing: SortedProjectListing) =>
      listSortedProjects(reader, viewer, listing, extensions),
    listPeople: (reader: Reader, viewer: Viewer, input: PeopleSearch) =>
      listPeople(reader, viewer, input, extensions),
    listProjectMembers,
    searchProjects,
    extractReferences: (reader: Reader, viewer: Viewer, input: { projectId: number; text: string }) =>
      extractReferences(reader, viewer, input, extensions),
  };
}
