import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measurement, measureAll } from './measure.ts';
import type { Options } from './options.ts';
import { planSubjects, type Subject } from './plan.ts';
import { ProductApi } from './product/api.ts';
import { Installation } from './product/installation.ts';
import type { Scenario } from './scenario.ts';
import { prepareScenarios } from './scenarios/index.ts';

export interface Outcome {
  scenarios: Scenario[];
  rows: Measurement[];
}

export async function runBench(options: Options): Promise<Outcome> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'atelier-bench-'));
  const { scenarios, subjects } = await prepare(folder.path, options);
  return { scenarios, rows: await measureAll(subjects, options) };
}

/** Fills the product once; the runs then start it again on the same data, each with a fresh process. */
async function prepare(folder: string, { databaseUrl, only }: Options) {
  const installation = new Installation(folder, databaseUrl);
  await using product = await installation.start('one');
  const accessKey = installation.readAccessKey();
  const api = new ProductApi(product.port, accessKey);
  const scenarios = await prepareScenarios(api, only);
  const subjects: Subject[] = await planSubjects(scenarios, { folder, installation, accessKey, api });
  return { scenarios, subjects };
}
