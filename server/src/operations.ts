import { archiveOperations, archivesInProjects, projectImportOperations } from './archive/index.ts';
import { artifactOperations, artifactSearches, artifactsInTrackers } from './artifacts/index.ts';
import { dashboardOperations, dashboardSearches, dashboardsOfTrackers } from './dashboards/index.ts';
import { fileOperations } from './files/index.ts';
import { type AccountExtension, identityOperations, identitySearches } from './identity/index.ts';
import { Listeners, notifyOperations } from './notify/index.ts';
import { type ProjectExtension, projectOperations, projectSearches } from './projects/index.ts';
import {
  crossTrackerOperations,
  crossTrackerSearches,
  keptQueriesOfAccounts,
  queriesInTrackers,
  reportLanguage,
  searchOperations,
} from './search/index.ts';
import { type Calls, storageOperations } from './storage/index.ts';
import {
  commitsAsReferences,
  repositoriesInProjects,
  repositoriesOfAccounts,
  svnOperations,
  svnSearches,
} from './svn/index.ts';
import {
  queriesOfAccounts,
  reportOperations,
  type TrackerExtension,
  Trackers,
  trackerOperations,
  trackerSearches,
  trackersInProjects,
  workflowOperations,
} from './trackers/index.ts';

/** What the rooms above projects add to every project, in the order in which `resources` lists it. */
export const projectExtensions: readonly ProjectExtension[] = [
  trackersInProjects,
  repositoriesInProjects,
  archivesInProjects,
];

/** What the rooms above trackers do when a tracker changes. */
const trackerExtensions: readonly TrackerExtension[] = [
  artifactsInTrackers,
  queriesInTrackers,
  dashboardsOfTrackers,
];

/** What the rooms above identity do when an account changes. */
const accountExtensions: readonly AccountExtension[] = [
  repositoriesOfAccounts,
  queriesOfAccounts(trackerExtensions),
  keptQueriesOfAccounts,
];

/** What one thread remembers from one operation to the next. */
interface Memory {
  readonly trackers: Trackers;
  readonly listeners: Listeners;
}

/** Every operation of every room, by name: what the thread that writes can be asked to do. */
const operationsWith = ({ trackers, listeners }: Memory) => ({
  ...storageOperations,
  ...identityOperations(accountExtensions),
  ...projectOperations(projectExtensions),
  ...trackerOperations(trackerExtensions),
  ...reportOperations(reportLanguage),
  ...workflowOperations,
  ...fileOperations(trackers),
  ...searchOperations,
  ...crossTrackerOperations,
  ...dashboardOperations,
  ...artifactOperations({ trackers, extensions: projectExtensions, listeners }),
  ...svnOperations(projectExtensions),
  ...notifyOperations(trackers),
  ...archiveOperations,
  ...projectImportOperations,
});

/** Every read that runs off the event loop. */
const searchesWith = ({ trackers }: Memory) => ({
  ...identitySearches,
  ...projectSearches(projectExtensions),
  ...trackerSearches,
  ...svnSearches,
  ...crossTrackerSearches(trackers),
  ...dashboardSearches,
  ...artifactSearches(trackers, projectExtensions),
});

export type AllOperations = ReturnType<typeof operationsWith>;
export type AllSearches = ReturnType<typeof searchesWith>;
export type Operations = Calls<AllOperations>;
export type Searches = Calls<AllSearches>;

/** All that the platform can be asked to do, with a memory of its own. */
export interface Platform {
  readonly trackers: Trackers;
  readonly operations: AllOperations;
  readonly searches: AllSearches;
}

/** To be made once by every thread and every command. `tellsPeople`: whether people are told of changes. */
export function createPlatform({ tellsPeople }: { readonly tellsPeople: boolean }): Platform {
  const memory: Memory = {
    trackers: new Trackers([commitsAsReferences]),
    listeners: new Listeners(tellsPeople),
  };
  return { trackers: memory.trackers, operations: operationsWith(memory), searches: searchesWith(memory) };
}
