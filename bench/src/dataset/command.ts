import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readDatasetOptions } from '../options.ts';
import { makeDataset } from './dataset.ts';

/** Makes a dataset to stay, and says how to use it. */
export async function runDatasetCommand(args: string[]): Promise<void> {
  const { artifacts, databaseUrl, ...options } = readDatasetOptions(args);
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
  const { form, adminKey, firstId, lastId, seconds, indexing } = await makeDataset(
    { folder, databaseUrl },
    artifacts,
  );
  const rate = Math.round(artifacts / seconds);
  const address = databaseUrl === undefined ? '' : ` ATELIER_DATABASE_URL=${databaseUrl}`;
  console.log(`${artifacts} artifacts in ${seconds.toFixed(1)} s, ${rate} a second; ${indexing.toFixed(1)} s more until all of them were in the search index
Tracker ${form.trackerId}, artifacts ${firstId} to ${lastId}
Start it:    ATELIER_DATA=${join(folder, 'data')}${address} npm start
Access keys: ${adminKey} (site administrator)
             ${form.memberKey} (member)`);
}
