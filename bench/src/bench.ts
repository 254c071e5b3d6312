import type { EngineName, Home } from './databases/home.ts';
import { openHome } from './databases/open-home.ts';
import { type ProvidedDataset, provideDataset } from './dataset/datasets.ts';
import { type FileRow, measureFiles } from './files/measure-files.ts';
import { type ImportFigures, measureImport } from './imports/import.ts';
import { type Measurement, measureAll } from './measure.ts';
import { type MemoryUse, measureMemory } from './memory.ts';
import type { Options } from './options.ts';
import { type Ground, planScenario, type Subject } from './plan.ts';
import { ProductApi } from './product/api.ts';
import { Installation } from './product/installation.ts';
import type { Scenario, ScenarioFamily } from './scenario.ts';
import { importScenario, isWanted, wantedFamilies, wantedFileScenarios } from './scenarios/index.ts';
import { workFolder } from './work-folder.ts';

/** How fast a dataset was made. */
export interface Making {
  artifacts: number;
  seconds: number;
}

export interface Outcome {
  engine: EngineName;
  scenarios: Scenario[];
  rows: Measurement[];
  makings: Making[];
  memory: MemoryUse[];
  files: FileRow[];
  imports: ImportFigures[];
}

/** Runs the benchmark on one engine after the other. */
export async function* runBench(options: Options): AsyncGenerator<Outcome> {
  await using folder = await workFolder(options.isKept);
  for (const engine of options.engines) {
    await using home = await openHome(engine, folder.path, options.databaseUrl);
    yield await runOn(home, options);
  }
}

async function runOn(home: Home, options: Options): Promise<Outcome> {
  const stages: Stage[] = [];
  for (const family of wantedFamilies(options)) stages.push(await setUp(family, home, options));
  const subjects = stages.flatMap((stage) => stage.subjects);
  return {
    engine: home.engine,
    scenarios: stages.flatMap(({ scenarios }) => scenarios),
    rows: await measureAll(subjects, options),
    makings: stages.flatMap(({ making }) => making ?? []),
    memory: options.only === undefined ? await memoryOf(stages) : [],
    files: await filesOn(home, options),
    imports: await importsOn(home, options),
  };
}

async function filesOn(home: Home, options: Options): Promise<FileRow[]> {
  const wanted = wantedFileScenarios(options);
  if (wanted.length === 0) return [];
  const { rounds, fileMegabytes: megabytes } = options;
  const place = await home.create(`run_${process.pid}_files`);
  return measureFiles(place, { rounds, megabytes, isWanted: (name) => wanted.includes(name) });
}

async function importsOn(home: Home, { only, imported }: Options): Promise<ImportFigures[]> {
  if (!isWanted(importScenario, only)) return [];
  return [await measureImport(await home.create(`run_${process.pid}_import`), imported)];
}

/** A family with its data in place. */
interface Stage {
  ground: Ground;
  scenarios: Scenario[];
  subjects: Subject[];
  making?: Making;
}

/** Fills the product once; the runs then start it again on the same data, each with a fresh process. */
async function setUp(family: ScenarioFamily, home: Home, options: Options): Promise<Stage> {
  const { place, provided } = await placeFor(family, home, options.isKept);
  const installation = new Installation(place.folder, place.databaseUrl);
  const dataset = provided?.dataset;
  const making = provided?.isNew ? makingOf(provided) : undefined;
  return installation.use('one', async ({ port }) => {
    const accessKey = dataset?.form.memberKey ?? installation.readAccessKey();
    const api = new ProductApi(port, accessKey);
    const prepared = await family.prepare({ baseUrl: `http://127.0.0.1:${port}`, api, dataset });
    const scenarios = prepared.filter(({ name }) => isWanted(name, options.only));
    const { folder, databaseUrl } = place;
    const ground = { folder, databaseUrl, installation, accessKey, dataset };
    const subjects: Subject[] = [];
    for (const scenario of scenarios) subjects.push(...(await planScenario(scenario, ground, api)));
    return { ground, scenarios, subjects, making };
  });
}

async function placeFor({ artifacts, name }: ScenarioFamily, home: Home, isKept: boolean) {
  const run = `run_${process.pid}_${name}`;
  if (artifacts === undefined) return { place: await home.create(run) };
  const provided = await provideDataset(home, artifacts, isKept);
  const place = await home.copy(provided.name, run);
  return { place, provided };
}

const makingOf = ({ dataset: { firstId, lastId, seconds } }: ProvidedDataset): Making => ({
  artifacts: lastId - firstId + 1,
  seconds,
});

/** Of the product with the most artifacts, which went through all scenarios with artifacts. */
async function memoryOf(stages: Stage[]): Promise<MemoryUse[]> {
  const withData = stages.filter(({ ground }) => ground.dataset !== undefined);
  const largest = withData.at(-1);
  return largest === undefined ? [] : measureMemory(largest.scenarios, largest.ground);
}
