import { beginImport, publishImport, showImportedRepositories } from './publish.ts';
import { claimImport, failImport, readyImport, reportImport, requeueImport, signImport } from './records.ts';
import { purgeRest, removeSomeOfImport } from './remove.ts';
import { createProjectFromArchive, requestImport } from './requests.ts';
import { requestDemo } from './run-requested.ts';

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
