import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { setBanner, setHeaderBackground } from './appearance.ts';
import { createProject, type NewProject } from './creation.ts';
import type { ProjectExtension } from './extension.ts';
import { changeLabel, createLabel, deleteLabel } from './labels.ts';
import { replaceGroupMembers } from './member-changes.ts';
import { listMemberships } from './memberships.ts';
import { changeProjectField, createProjectField, deleteProjectField } from './project-fields.ts';
import { changeProjectSettings } from './project-settings.ts';
import { changeProjectStatus } from './projects.ts';
import { extractReferences } from './references.ts';
import { changeService, createService, deleteService, switchService } from './services.ts';
import { changeUserGroup, createUserGroup, deleteUserGroup } from './user-groups.ts';

/** Everything that changes projects. Each runs in one transaction, wherever writes run. */
export function projectOperations(extensions: readonly ProjectExtension[]) {
  return {
    createProject: (tx: Transaction, viewer: Viewer, project: NewProject) =>
      createProject(tx, viewer, project, extensions),
    changeProjectStatus,
    changeProjectSettings,
    setBanner,
    setHeaderBackground,
    createProjectField,
    changeProjectField,
    deleteProjectField,
    switchService,
    createService,
    changeService,
    deleteService,
    createLabel,
    changeLabel,
    deleteLabel,
    createUserGroup,
    changeUserGroup,
    deleteUserGroup,
    replaceGroupMembers,
  };
}
export type ProjectOperations = ReturnType<typeof projectOperations>;

/** Reads that take their time, and so run off the event loop. */
export function projectSearches(extensions: readonly ProjectExtension[]) {
  return {
    listMemberships,
    extractReferences: (reader: Reader, viewer: Viewer, input: { projectId: number; text: string }) =>
      extractReferences(reader, viewer, input, extensions),
  };
}
export type ProjectSearches = ReturnType<typeof projectSearches>;
