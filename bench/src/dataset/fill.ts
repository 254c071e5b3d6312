import { fold } from '../../../server/src/kernel/text.ts';
import type { Database, Transaction } from '../../../server/src/storage/index.ts';
import { draftOf, twoOf } from './draft.ts';
import type { Form } from './form.ts';
import { Random } from './random.ts';
import {
  artifactColumns,
  artifactRow,
  changesetColumns,
  changesetRow,
  commentedColumns,
  commentRow,
  hasComment,
  linkColumns,
  linkRows,
  membersOf,
  type NewArtifact,
  valueColumns,
  valueRows,
} from './rows.ts';
import {
  commentColumns,
  measureColumns,
  measureRows,
  pendingColumns,
  textColumns,
  textId,
  textPendingColumns,
  textRows,
  wordPendingColumns,
} from './search-rows.ts';
import { description, type StoredText } from './texts.ts';

const seed = 20_240_301;
/** Artifacts of one transaction, which are not fewer than `reach`: links are stored with the next ones. */
const chunk = 2500;
/** People link to what was submitted at about the same time: this many artifacts away at the most. */
const reach = 2500;
/** So many different texts, which the artifacts share. */
const textCount = 10_000;
const firstInstant = Date.UTC(2022, 0, 1);
const pauseMs = 60_000;

export interface FillOrder {
  form: Form;
  /** How many artifacts. */
  count: number;
  /** The version of the product's renderer of texts. */
  renderer: number;
}

/** The artifacts that were made: their ids follow one another. */
export interface Filled {
  firstId: number;
  lastId: number;
  seconds: number;
}

/** Fills the tracker with artifacts as the product would have stored them, the same ones every time. */
export async function fill(database: Database, order: FillOrder): Promise<Filled> {
  const startedAt = performance.now();
  const { form, count, renderer } = order;
  const random = new Random(seed);
  const texts = Array.from({ length: Math.min(textCount, count) }, () => description(random, renderer));
  const start = await database.transaction((tx) => reserve(tx, form, count));
  const making = { ...order, texts };
  let before: NewArtifact[] = [];
  for (let done = 0; done < count; done += chunk) {
    const size = Math.min(chunk, count - done);
    const artifacts = Array.from({ length: size }, (_, index) => make(random, making, start, done + index));
    const linking = before;
    await database.transaction(async (tx) => {
      await insertArtifacts(tx, form, artifacts);
      await insertLinks(tx, linking);
    });
    before = artifacts;
  }
  await database.transaction(async (tx) => {
    await insertLinks(tx, before);
    await recordPeople(tx, form);
    await recordLinkedTrackers(tx, form);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { firstId: start.id, lastId: start.id + count - 1, seconds };
}

interface Making extends FillOrder {
  texts: readonly StoredText[];
}

/** The first id and the first number inside the tracker. */
interface Start {
  id: number;
  number: number;
}

/** Ids and numbers for all of them, as nobody else is at work. */
async function reserve(tx: Transaction, { trackerId }: Form, count: number): Promise<Start> {
  const ids = await tx.newIds('artifact', count);
  const [id = 0] = ids;
  if (ids.at(-1) !== id + count - 1) throw new Error('Somebody else creates artifacts meanwhile');
  const counter = tx.sql
    .updateTable('tracker_counter')
    .set((row) => ({ last_number: row('last_number', '+', count), artifacts: row('artifacts', '+', count) }))
    .where('tracker_id', '=', trackerId);
  const [raised] = await tx.all(counter.returning('last_number'));
  if (raised === undefined) throw new Error(`Tracker ${trackerId} counts no artifacts`);
  return { id, number: raised.last_number - count + 1 };
}

function make(random: Random, order: Making, start: Start, index: number): NewArtifact {
  const { form, count, texts } = order;
  const id = start.id + index;
  const near = {
    first: Math.max(start.id, id - reach),
    last: Math.min(start.id + count - 1, id + reach),
    except: id,
  };
  const draft = draftOf(random, form, { description: random.pick(texts), links: twoOf(random, near) });
  return {
    id,
    number: start.number + index,
    submittedBy: random.pick(form.members),
    submittedOn: firstInstant + index * pauseMs,
    draft,
    members: membersOf(draft, form),
  };
}

async function insertArtifacts(
  tx: Transaction,
  form: Form,
  artifacts: readonly NewArtifact[],
): Promise<void> {
  const rows = artifacts.map((artifact) => artifactRow(artifact, form));
  await tx.insertMany('artifact', artifactColumns, rows);
  const changesets = artifacts.map((artifact) => changesetRow(artifact, form));
  await tx.insertMany('changeset', changesetColumns, changesets);
  const values = artifacts.flatMap((artifact) => valueRows(artifact, form));
  // In the order of the index, which takes two thirds of the time that the order of the artifacts does.
  values.sort((left, right) => left[0] - right[0] || left[1] - right[1]);
  await tx.insertMany('artifact_value', valueColumns, values);
  await insertComments(tx, artifacts);
  await insertSearchRows(tx, form, artifacts);
}

async function insertComments(tx: Transaction, artifacts: readonly NewArtifact[]): Promise<void> {
  const commented = artifacts.filter(hasComment);
  const ids = await tx.newIds('changeset', commented.length);
  const numbered = commented.map((artifact, index) => ({ artifact, id: ids[index] ?? 0 }));
  const rows = numbered.map(({ artifact, id }) => commentRow(artifact, id));
  await tx.insertMany('changeset', commentedColumns, rows);
  const texts = numbered.map(
    ({ artifact, id }) => [id, artifact.id, fold(artifact.draft.title), null] as const,
  );
  await tx.insertMany('comment_text', commentColumns, texts);
  if (!tx.keepsTextParts) return;
  const pending = numbered.map(({ id }) => [textId(0, id)] as const);
  await tx.insertMany('text_pending', textPendingColumns, pending);
}

/** What artifacts are found by; the product merges it when it next runs. */
async function insertSearchRows(
  tx: Transaction,
  form: Form,
  artifacts: readonly NewArtifact[],
): Promise<void> {
  const measures = artifacts.flatMap((artifact) => measureRows(artifact, form));
  measures.sort((left, right) => left[0] - right[0] || left[1] - right[1]);
  await tx.insertMany('artifact_measure', measureColumns, measures);
  const texts = artifacts.flatMap((artifact) => textRows(artifact, form));
  texts.sort((left, right) => left[0] - right[0]);
  await tx.insertMany('artifact_text', textColumns, texts);
  const pending = artifacts.map(({ id }) => [id, 1] as const);
  await tx.insertMany('search_pending', pendingColumns, pending);
  const ids = texts.map(([field, id]) => textId(field, id));
  if (tx.keepsTextParts)
    await tx.insertMany(
      'text_pending',
      textPendingColumns,
      ids.map((id) => [id] as const),
    );
  else
    await tx.insertMany(
      'word_pending',
      wordPendingColumns,
      ids.map((id) => [id, 1] as const),
    );
}

/** Links reach into the transaction after the artifact's own: they are inserted when both ends are there. */
async function insertLinks(tx: Transaction, artifacts: readonly NewArtifact[]): Promise<void> {
  await tx.insertMany('artifact_link', linkColumns, artifacts.flatMap(linkRows));
}

/** Links stay in their tracker. */
async function recordLinkedTrackers(tx: Transaction, { trackerId }: Form): Promise<void> {
  const pair = { source_tracker_id: trackerId, target_tracker_id: trackerId };
  const insert = tx.sql.insertInto('tracker_link').values(pair);
  await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
}

/** Who ever submitted or changed something here, as the product remembers it. */
async function recordPeople(tx: Transaction, { trackerId, members }: Form): Promise<void> {
  const rows = members.flatMap((account_id) =>
    ['submitter', 'editor'].map((role) => ({ tracker_id: trackerId, role, account_id })),
  );
  const insert = tx.sql.insertInto('tracker_person').values(rows);
  await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
}
