import pg from 'pg';
import { fold } from '../../../server/src/kernel/text.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { idsAcross } from '../dataset/ids.ts';
import { newDrafts } from '../dataset/new-drafts.ts';
import {
  artifactColumns,
  artifactRow,
  changesetColumns,
  changesetRow,
  idsText,
  linkColumns,
  linkRows,
  membersOf,
  valueColumns,
  valueRows,
} from '../dataset/rows.ts';
import { measureColumns, measureRows, textColumns, textRows } from '../dataset/search-rows.ts';
import { changedCount, draftCount } from './write-floor.ts';

type Values = readonly unknown[];

/** Ids that a client asks for at once, long before it needs them. */
const idsAtOnce = 20_000;

const namesByText = new Map<string, string>();

function nameOf(text: string): string {
  const name = namesByText.get(text) ?? `floor ${namesByText.size}`;
  namesByText.set(text, name);
  return name;
}

const holesOf = (columns: Values, rows: number) =>
  Array.from(
    { length: rows },
    (_, row) => `(${columns.map((__, index) => `$${row * columns.length + index + 1}`).join(', ')})`,
  ).join(', ');

/** One connection that sends all statements of a transaction at once, which is the least that a durable write waits for. */
export class WritingClient {
  readonly #client: pg.Client;
  readonly #sent: Promise<unknown>[] = [];

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<WritingClient> {
    const client = new pg.Client({ connectionString: url, pipeline: true });
    await client.connect();
    return new WritingClient(client);
  }

  ask(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    return this.#client.query({ text, values });
  }

  send(text: string, values: Values = []): void {
    this.#sent.push(this.#client.query({ name: nameOf(text), text, values: [...values] }));
  }

  insert(table: string, columns: readonly string[], rows: readonly Values[], more = ''): void {
    if (rows.length === 0) return;
    const text = `insert into ${table} (${columns.join(', ')}) values ${holesOf(columns, rows.length)}${more}`;
    this.send(text, rows.flat());
  }

  async inTransaction(work: () => void): Promise<void> {
    this.send('begin');
    work();
    this.send('commit');
    await Promise.all(this.#sent.splice(0));
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

const sequence = (table: string) => `pg_get_serial_sequence('${table}', 'id')`;

/** The first of as many ids that follow one another: asking for each by itself would take longer than the writing. */
async function firstOfNewIds(client: WritingClient, table: string): Promise<number> {
  await client.ask('begin');
  // Between reading the sequence and setting it nobody else of the loop may.
  await client.ask("select pg_advisory_xact_lock(hashtext('ids of the floor'))");
  const taken = `nextval(${sequence(table)}) + ${idsAtOnce - 1}`;
  const { rows } = await client.ask(`select setval(${sequence(table)}, ${taken}) as last`);
  await client.ask('commit');
  return Number(rows[0]?.last) - idsAtOnce + 1;
}

const eventColumns = ['number', 'kind', 'payload', 'client', 'created_at'] as const;

/** What those hear of it who look, as long as the product says it. */
function logEvent(client: WritingClient, kind: string, facts: Record<string, unknown>): void {
  client.insert('event_log', eventColumns, [[null, kind, JSON.stringify(facts), null, Date.now()]]);
}

/** Gives a function that writes the rows of a new artifact, a transaction each time. */
export async function creationsBy(client: WritingClient, dataset: Dataset): Promise<() => Promise<void>> {
  const { form } = dataset;
  const drafts = newDrafts(dataset, draftCount).map((draft) => ({ draft, members: membersOf(draft, form) }));
  const firstId = await firstOfNewIds(client, 'artifact');
  const firstChangesetId = await firstOfNewIds(client, 'changeset');
  const number =
    'with counted as (update tracker_counter set last_number = last_number + 1, artifacts = artifacts + 1 where tracker_id = $1 returning last_number) ' +
    'update artifact set number = counted.last_number from counted where id = $2';
  let count = 0;
  return async () => {
    const [id, changesetId, chosen] = [
      firstId + count,
      firstChangesetId + count,
      drafts[count % drafts.length],
    ];
    if (chosen === undefined || count === idsAtOnce) throw new Error('The floor has no more ids to give');
    count++;
    const made = { ...chosen, id, number: 0, submittedBy: form.members[0] ?? 0, submittedOn: Date.now() };
    const links = linkRows(made);
    await client.inTransaction(() => {
      client.insert('artifact', artifactColumns, [artifactRow(made, form)]);
      client.insert('changeset', ['id', ...changesetColumns], [[changesetId, ...changesetRow(made, form)]]);
      const facts = { artifactId: id, trackerId: form.trackerId, projectId: form.projectId, changesetId };
      logEvent(client, 'artifact.created', {
        ...facts,
        by: made.submittedBy,
        fieldIds: Object.values(form.fields),
      });
      client.insert('artifact_value', valueColumns, valueRows(made, form));
      client.insert('artifact_measure', measureColumns, measureRows(made, form));
      client.insert('artifact_text', textColumns, textRows(made, form));
      client.insert('artifact_link', linkColumns, links);
      const others = links.map(([, target]) => target).sort((left, right) => left - right);
      for (const other of others)
        client.send('update artifact set related_version = related_version + 1 where id = $1', [other]);
      // As the product does: whoever creates another one in the tracker waits from here on.
      client.send(number, [form.trackerId, id]);
    });
  };
}

interface Changed {
  id: number;
  status: number;
  points: number;
}

async function presentOf(
  client: WritingClient,
  { form }: Dataset,
  ids: readonly number[],
): Promise<Changed[]> {
  const { rows } = await client.ask(
    'select id, document, (select min(value) from artifact_value where artifact_id = artifact.id and field_id = $2) as status from artifact where id = any($1::bigint[])',
    [ids, form.fields.status],
  );
  return rows.map(({ id, document, status }) => ({
    id: Number(id),
    status: Number(status),
    points: Number(JSON.parse(document)[form.fields.points]),
  }));
}

/** Gives a function that writes the rows of a change of title, status and points, a transaction each time. */
export async function changesBy(
  client: WritingClient,
  dataset: Dataset,
  place: { index: number; of: number },
): Promise<() => Promise<void>> {
  const { form } = dataset;
  const { fields, members } = form;
  const drafts = newDrafts(dataset, draftCount).map((draft) => ({ draft, members: membersOf(draft, form) }));
  // Each client has artifacts of its own: nobody waits for another.
  const own = idsAcross(dataset, changedCount).filter((_, index) => index % place.of === place.index);
  const artifacts = await presentOf(client, dataset, own);
  let count = place.index;
  const replace = (
    table: string,
    fieldId: number,
    [before, after]: readonly [number, number],
    id: number,
  ) => {
    if (before === after) return;
    client.send(`delete from ${table} where field_id = $1 and value = $2 and artifact_id = $3`, [
      fieldId,
      before,
      id,
    ]);
    client.insert(table, valueColumns, [[fieldId, after, id]]);
  };
  return async () => {
    const [chosen, artifact] = [drafts[count % drafts.length], artifacts[count % artifacts.length]];
    count++;
    if (chosen === undefined || artifact === undefined) throw new Error('There is nothing to change');
    const { id } = artifact;
    const { title, points, status } = chosen.draft;
    const [now, by, next] = [Date.now(), members[0] ?? 0, status[0] ?? 0];
    await client.inTransaction(() => {
      client.send(
        'update artifact set document = $1, version = version + 1, modified_by = $2, modified_on = $3 where id = $4',
        [`{${chosen.members}}`, by, now, id],
      );
      const changes = { [fields.title]: title, [fields.status]: status, [fields.points]: points };
      const changed = idsText(fields.title, fields.status, fields.points);
      client.insert('changeset', changesetColumns, [[id, by, now, JSON.stringify(changes), null, changed]]);
      const facts = {
        artifactId: id,
        trackerId: form.trackerId,
        projectId: form.projectId,
        by,
        changesetId: id,
      };
      logEvent(client, 'artifact.updated', {
        ...facts,
        fieldIds: [fields.title, fields.status, fields.points],
      });
      client.insert(
        'artifact_text',
        textColumns,
        [[fields.title, id, fold(title)]],
        ' on conflict (field_id, artifact_id) do update set text = excluded.text',
      );
      replace('artifact_value', fields.status, [artifact.status, next], id);
      replace('artifact_measure', fields.points, [artifact.points, points], id);
    });
    artifact.status = next;
    artifact.points = points;
  };
}
