import { beginImport, publishImport, showImportedRepositories } from './publishing.ts';
import { claimImport, failImport, readyImport, reportImport, requeueImport, signImport } from './records.ts';
import { purgeRest, removeSomeOfImport } from './removal.ts';
import { requestDemo } from './requested.ts';
import { createProjectFromArchive, requestImport } from './requests.ts';

/** Everything that importing whole projects changes. Each runs in one short transaction, wherever writes run. */
export const projectImportOperations = {
  requestImport,
  requestDemo,
  createProjectFromArchive,
  claimImport,
  signImport,
  readyImport,
  requeueImport,
  reportImport,
  failImport,
  beginImport,
  publishImport,
  removeSomeOfImport,
  purgeRest,
  showImportedRepositories,
};
