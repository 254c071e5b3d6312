import { beginImport, publishImport, showImportedRepositories } from './publish.ts';
import {
  cancelImport,
  claimImport,
  failImport,
  readyImport,
  reportImport,
  requeueImport,
  signImport,
} from './records.ts';
import { purgeRest, removeSomeOfImport } from './remove.ts';
import { createProjectFromArchive, requestDemo, requestImport } from './requests.ts';
import { createTrackerFromTemplate } from './shipped.ts';

/** Everything that importing whole projects changes. Each runs in one short transaction, wherever writes run. */
export const projectImportOperations = {
  requestImport,
  requestDemo,
  createProjectFromArchive,
  createTrackerFromTemplate,
  claimImport,
  cancelImport,
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
