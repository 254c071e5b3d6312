import { archiveOperations, archivesInProjects, projectImportOperations } from './archive/index.ts';
import { artifactOperations, artifactSearches, artifactsInTrackers } from './artifacts/index.ts';
import { fileOperations } from './files/index.ts';
import { identityOperations, identitySearches } from './identity/index.ts';
import { Listeners, notifyOperations } from './notify/index.ts';
import { type ProjectExtension, projectOperations, projectSearches } from './projects/index.ts';
import {
  crossTrackerOperations,
  crossTrackerSearches,
  reportLanguage,
  searchOperations,
} from './search/index.ts';
import { type Calls, storageOperations } from './storage/index.ts';
import { commitsAsReferences, repositoriesInProjects, svnOperations } from './svn/index.ts';
import {
  reportOperations,
  type TrackerExtension,
  Trackers,
  trackerOperations,
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
const trackerExtensions: readonly TrackerExtension[] = [artifactsInTrackers];

/** The trackers that this thread knows. */
export const trackers = new Trackers([commitsAsReferences]);

/** Who is told of changes, as far as this thread knows. */
export const listeners = new Listeners();

/** Every operation of every room, by name: what the thread that writes can be asked to do. */
export const operations = {
  ...storageOperations,
  ...identityOperations,
  ...projectOperations(projectExtensions),
  ...trackerOperations(trackerExtensions),
  ...reportOperations(reportLanguage),
  ...workflowOperations,
  ...fileOperations(trackers),
  ...searchOperations,
  ...crossTrackerOperations,
  ...artifactOperations({ trackers, extensions: projectExtensions, listeners }),
  ...svnOperations(projectExtensions),
  ...notifyOperations(trackers),
  ...archiveOperations,
  ...projectImportOperations,
};
export type Operations = Calls<typeof operations>;

/** Every read that runs off the event loop. */
export const searches = {
  ...identitySearches,
  ...projectSearches(projectExtensions),
  ...crossTrackerSearches(trackers),
  ...artifactSearches(trackers),
};
export type Searches = Calls<typeof searches>;
