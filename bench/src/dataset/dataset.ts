import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@atelier/client';
import { createArtifact } from '@atelier/contract';
import { type Database, openDatabase, sql } from '../../../server/src/storage/index.ts';
import type { Place } from '../databases/home.ts';
import { runOutside } from '../databases/postgres-home.ts';
import { Installation } from '../product/installation.ts';
import { draftOf, entriesOf } from './draft.ts';
import { type Filled, fill } from './fill.ts';
import { createForms, type Form, type Forms } from './form.ts';
import { Random } from './random.ts';
import { description } from './texts.ts';

/** A product with one large tracker beside a small one, as far as asking it needs to know. */
export interface Dataset extends Filled, Forms {
  adminKey: string;
  /** The version of the product's renderer of texts. */
  renderer: number;
  /** Seconds that the product took to merge the artifacts into its search index. */
  indexing: number;
}

/** Artifacts of the small tracker. */
const besideCount = 10_000;

export const factsOf = (place: Place) => join(place.folder, 'dataset.json');

/** Fills an empty place: people and tracker over the API, artifacts straight into the database. */
export async function makeDataset(place: Place, count: number): Promise<Dataset> {
  const { form, beside, adminKey, sampleId } = await prepare(place);
  const { folder, databaseUrl } = place;
  const database = await openDatabase({ folder: join(folder, 'data'), databaseUrl, connections: 2 });
  try {
    const renderer = await rendererOf(database, form, sampleId);
    await fill(database, { form: beside, count: Math.min(besideCount, count), renderer });
    const filled = await fill(database, { form, count, renderer });
    // What PostgreSQL does by itself within a minute, and SQLite not at all.
    if (databaseUrl !== undefined) await runOutside(database, 'vacuum analyze');
    const indexing = await index(place, database);
    const dataset = { form, beside, adminKey, renderer, ...filled, indexing };
    writeFileSync(factsOf(place), JSON.stringify(dataset));
    return dataset;
  } finally {
    await database.close();
  }
}

/** Runs the product until everything is in its search index. */
async function index({ folder, databaseUrl }: Place, database: Database): Promise<number> {
  const startedAt = performance.now();
  const isWaiting = async (table: 'search_pending' | 'text_pending') =>
    (await database.first(database.sql.selectFrom(table).selectAll().limit(1))) !== undefined;
  const blocks = sql<{ block: number }>`select id / 32768 as block from word_pending
    group by block having count(*) >= 512 limit 1`;
  const compile = () => blocks.compile(database.sql);
  const areWordsWaiting = async () => (await database.all({ compile })).length > 0;
  await new Installation(folder, databaseUrl).use('one', async () => {
    while (
      (await isWaiting('search_pending')) ||
      (await isWaiting('text_pending')) ||
      (await areWordsWaiting())
    )
      await pause(250);
  });
  return (performance.now() - startedAt) / 1000;
}

function prepare({ folder, databaseUrl }: Place) {
  const installation = new Installation(folder, databaseUrl);
  return installation.use('one', async ({ port }) => {
    const baseUrl = `http://127.0.0.1:${port}`;
    const adminKey = installation.readAccessKey();
    const forms = await createForms(baseUrl, adminKey);
    return { ...forms, adminKey, sampleId: await createSample(baseUrl, forms.form) };
  });
}

/** An artifact made over the API: the product itself says how it keeps one. */
async function createSample(baseUrl: string, form: Form): Promise<number> {
  const member = createClient({ baseUrl, accessKey: form.memberKey });
  const random = new Random(1);
  const draft = draftOf(random, form, { description: description(random, 0), links: [] });
  const values = entriesOf(draft, form);
  return (await member.call(createArtifact, { body: { tracker: { id: form.trackerId }, values } })).id;
}

/** The version of the renderer by which the text of the sample was stored. */
async function rendererOf(database: Database, { fields }: Form, sampleId: number): Promise<number> {
  const query = database.sql.selectFrom('artifact').select('document').where('id', '=', sampleId);
  const row = await database.first<{ document: string }>(query);
  const description = row && JSON.parse(row.document)[fields.description];
  return Number(description?.renderer ?? 0);
}
