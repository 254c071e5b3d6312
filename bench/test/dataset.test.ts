import { existsSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@atelier/client';
import { createArtifact, getArtifact } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase, type Reader } from '../../server/src/storage/index.ts';
import type { EngineName, Home, Place } from '../src/databases/home.ts';
import { PostgresHome } from '../src/databases/postgres-home.ts';
import { SqliteHome } from '../src/databases/sqlite-home.ts';
import type { Dataset } from '../src/dataset/dataset.ts';
import { provideDataset } from '../src/dataset/datasets.ts';
import { type Draft, entriesOf } from '../src/dataset/draft.ts';
import type { Form } from '../src/dataset/form.ts';
import { idsAcross } from '../src/dataset/ids.ts';
import { newDrafts } from '../src/dataset/new-drafts.ts';
import {
  changesetRow,
  linkColumns,
  linkRows,
  membersOf,
  valueColumns,
  valueRows,
} from '../src/dataset/rows.ts';
import { measureColumns, measureRows, textColumns, textRows } from '../src/dataset/search-rows.ts';
import { runWriteLoop, type WritePlace } from '../src/floors/write-floor.ts';
import { Installation } from '../src/product/installation.ts';
import type { RunningServer } from '../src/running-server.ts';

const engines: EngineName[] = ['SQLite', 'PostgreSQL'];
/** More than one transaction takes. */
const size = 2600;

function openHome(engine: EngineName, folder: string): Home | Promise<Home> {
  if (engine === 'SQLite') return new SqliteHome(folder);
  return PostgresHome.open(folder, `${inject('prepared').postgresUrl}postgres`);
}

async function open({ folder, databaseUrl }: Place): Promise<Database & AsyncDisposable> {
  const database = await openDatabase({ folder: join(folder, 'data'), databaseUrl, connections: 2 });
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
}

const byNumbers = (left: readonly unknown[], right: readonly unknown[]) =>
  Number(left[0]) - Number(right[0]) || Number(left[1]) - Number(right[1]);

/** All that is stored of one artifact, to be compared with `madeFrom`. */
async function storedOf(database: Reader, id: number) {
  const { sql } = database;
  const artifact = await database.first(sql.selectFrom('artifact').selectAll().where('id', '=', id));
  const changesets = await database.all(
    sql.selectFrom('changeset').selectAll().where('artifact_id', '=', id),
  );
  const values = sql.selectFrom('artifact_value').select(valueColumns).where('artifact_id', '=', id);
  const links = sql.selectFrom('artifact_link').select(linkColumns).where('source_id', '=', id);
  const measures = sql.selectFrom('artifact_measure').select(measureColumns).where('artifact_id', '=', id);
  const texts = sql.selectFrom('artifact_text').select(textColumns).where('artifact_id', '=', id);
  return {
    number: artifact?.number,
    version: artifact?.version,
    document: JSON.parse(artifact?.document ?? ''),
    changes: changesets.map(({ changes }) => JSON.parse(changes)),
    fields: changesets.map(({ field_ids }) => field_ids),
    comments: changesets.map(({ comment }) => comment),
    values: (await database.all(values)).map((row) => Object.values(row)).sort(byNumbers),
    links: (await database.all(links)).map((row) => Object.values(row)).sort(byNumbers),
    measures: (await database.all(measures)).map((row) => Object.values(row)).sort(byNumbers),
    texts: (await database.all(texts)).map((row) => Object.values(row)).sort(byNumbers),
  };
}

/** What the dataset would hold of such an artifact. */
function madeFrom(draft: Draft, form: Form, { id, number }: { id: number; number: number }) {
  const made = { id, number, submittedBy: 0, submittedOn: 0, draft, members: membersOf(draft, form) };
  const [, , , changes, comment, fields] = changesetRow(made, form);
  return {
    number,
    version: 1,
    document: JSON.parse(`{${made.members}}`),
    changes: [JSON.parse(changes)],
    fields: [fields],
    comments: [comment],
    values: valueRows(made, form).toSorted(byNumbers),
    links: linkRows(made),
    measures: measureRows(made, form).toSorted(byNumbers),
    texts: textRows(made, form).toSorted(byNumbers),
  };
}

const startOn = ({ folder, databaseUrl }: Place) => new Installation(folder, databaseUrl).start('one');

/** A member of the project, who asks the product. */
const memberAt = ({ port }: RunningServer, { form }: Dataset): Client =>
  createClient({ baseUrl: `http://127.0.0.1:${port}`, accessKey: form.memberKey });

describe.each(engines)('a dataset on %s', (engine) => {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'atelier-dataset-'));
  let home: Home;
  let name: string;
  let dataset: Dataset;
  let place: Place;
  let product: RunningServer;
  beforeAll(async () => {
    home = await openHome(engine, folder.path);
    ({ name, dataset } = await provideDataset(home, size, true));
    place = await home.copy(name, 'run');
    product = await startOn(place);
  });
  afterAll(async () => {
    await product?.[Symbol.asyncDispose]();
    await home.create(name);
    await home[Symbol.asyncDispose]();
    folder.remove();
  });

  it('is found again, and its copy goes when the home is left', async () => {
    expect(await provideDataset(home, size, true)).toMatchObject({ name, dataset, isNew: false });
    const other = await openHome(engine, folder.path);
    const copy = await other.copy(name, 'short_lived');
    expect(existsSync(copy.folder)).toBe(true);
    await other[Symbol.asyncDispose]();
    expect(existsSync(copy.folder)).toBe(false);
    expect(existsSync(home.place(name).folder)).toBe(true);
  });

  it('has rows like those of an artifact made over the API, which gets the next id', async () => {
    const { form, lastId } = dataset;
    const drafts = newDrafts(dataset, 3);
    const member = memberAt(product, dataset);
    const made: number[] = [];
    for (const draft of drafts) {
      const body = { tracker: { id: form.trackerId }, values: entriesOf(draft, form) };
      made.push((await member.call(createArtifact, { body })).id);
    }
    expect(made).toEqual([lastId + 1, lastId + 2, lastId + 3]);
    await using database = await open(place);
    for (const [index, draft] of drafts.entries()) {
      const facts = { id: lastId + 1 + index, number: 1 + size + 1 + index };
      expect(await storedOf(database, facts.id)).toEqual(madeFrom(draft, form, facts));
    }
  });

  it('answers twelve fields with two links for any artifact', async () => {
    const ids = [dataset.firstId, ...idsAcross(dataset, 20), dataset.lastId];
    const member = memberAt(product, dataset);
    const answers = await Promise.all(ids.map((id) => member.call(getArtifact, { params: { id } })));
    for (const { values, title } of answers) {
      expect(title).not.toBe('');
      expect(values).toHaveLength(12);
      expect(values?.find(({ type }) => type === 'art_link')).toMatchObject({
        links: [expect.anything(), expect.anything()],
      });
    }
  });

  it('takes the rows of the floor of writing, which the product can read', async () => {
    const floor = await home.copy(name, 'floor');
    const path = join(floor.folder, 'data', 'atelier.sqlite');
    const { databaseUrl: url } = floor;
    const written: WritePlace = url === undefined ? { kind: 'sqlite', path } : { kind: 'postgres', url };
    const effort = { place: written, dataset, warmUpSeconds: 0.1, seconds: 0.3 };
    for (const rows of ['creations', 'changes'] as const)
      expect((await runWriteLoop({ ...effort, rows })).requestsPerSecond).toBeGreaterThan(0);
    await using reading = await startOn(floor);
    const member = memberAt(reading, dataset);
    const answers = await Promise.all(
      [dataset.firstId, dataset.lastId + 1].map((id) => member.call(getArtifact, { params: { id } })),
    );
    for (const { values } of answers) expect(values).toHaveLength(12);
  });
});
