import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Home } from '../databases/home.ts';
import { type Dataset, factsOf, makeDataset } from './dataset.ts';

export interface ProvidedDataset {
  /** The name of its place in the home. */
  name: string;
  dataset: Dataset;
  /** Made now, and not kept from an earlier run. */
  isNew: boolean;
}

/** The dataset with that many artifacts: made once, and found again by what it is made from. */
export async function provideDataset(home: Home, count: number, isKept: boolean): Promise<ProvidedDataset> {
  const name = `artifacts_${count}_${fingerprint()}`;
  const facts = factsOf(home.place(name));
  if (existsSync(facts)) return { name, dataset: JSON.parse(readFileSync(facts, 'utf8')), isNew: false };
  console.error(`making a dataset of ${count} artifacts on ${home.engine}`);
  const dataset = await makeDataset(await home.create(name), count);
  if (isKept) home.keep(name);
  return { name, dataset, isNew: true };
}

const ownCode = fileURLToPath(new URL('.', import.meta.url));
const schema = fileURLToPath(new URL('../../../server/src/storage/migrations/', import.meta.url));

/** Another one whenever the schema of the product or the code that makes datasets is another one. */
function fingerprint(): string {
  const texts = [ownCode, schema].flatMap((folder) =>
    globSync('*.ts', { cwd: folder })
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  return hash('sha256', texts.join(''), 'hex').slice(0, 12);
}
