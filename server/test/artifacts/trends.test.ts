import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ValueTurns } from '../../src/artifacts/totals/index.ts';
import { change } from '../fixtures/artifact.ts';
import { databaseOf } from '../fixtures/project.ts';
import { ArchiveBench, ArchiveShelf, projectXml, usersXml } from '../fixtures/project-archive.ts';
import { fieldNamed, readTracker, setFieldPermissions } from '../fixtures/tracker.ts';
import { type Atelier, type Caller, engines, startAtelier } from '../harness/atelier.ts';

/** What an artifact became at a moment; what is not named stays. */
interface Turn {
  readonly at: Date;
  readonly state?: 'Open' | 'Doing' | 'Done' | null;
  readonly effort?: number | null;
}

/** A row of numbers that is the same in every run. */
function* numbers(seed = 7): Generator<number, never> {
  for (let last = seed; ; ) {
    last = (last * 48_271) % 2_147_483_647;
    yield last / 2_147_483_647;
  }
}

const day = 86_400_000;
const hour = 3_600_000;
const begin = Date.UTC(2024, 0, 10);
/** The same day in every zone that this runs in: between eight in the morning and four in the afternoon. */
const byDaylight = (at: number) => Math.floor(at / day) * day + 8 * hour + Math.floor((at % day) / 3);
const chance = numbers();
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(chance.next().value * all.length)] as T;

/** Forty artifacts, made and changed over ten weeks, some of them several times a day. */
const pasts: Turn[][] = Array.from({ length: 40 }, () => {
  let at = begin + Math.floor(chance.next().value * 50 * day);
  const turns: Turn[] = [
    { at: new Date(byDaylight(at)), ...(chance.next().value < 0.8 ? { state: 'Open' } : {}), effort: 2.5 },
  ];
  for (let left = Math.floor(chance.next().value * 6); left > 0; left--) {
    at += 10_000 + Math.floor(chance.next().value ** 3 * 20 * day);
    const state = oneOf(['Open', 'Doing', 'Done', null] as const);
    turns.push(
      chance.next().value < 0.7
        ? { at: new Date(byDaylight(at)), state }
        : { at: new Date(byDaylight(at)), effort: oneOf([0.1, 3, null]) },
    );
  }
  return turns;
});

const stateId = { Open: 'V1', Doing: 'V2', Done: 'V3' };
const changesetXml = ({ at, state, effort }: Turn, place: number) => `<changeset>
  <submitted_by format="username">None</submitted_by>
  <submitted_on format="ISO8601">${at.toISOString()}</submitted_on><comments/>
  <field_change field_name="title" type="string"><value>Title ${place}</value></field_change>
  ${state === undefined ? '' : `<field_change field_name="state" type="list" bind="static">${state === null ? '<value/>' : `<value format="id">${stateId[state]}</value>`}</field_change>`}
  ${effort === undefined ? '' : `<field_change field_name="effort" type="float"><value>${effort ?? ''}</value></field_change>`}
</changeset>`;

const trackerXml = `<tracker id="T1" parent_id="0">
  <name>Past</name><item_name>past</item_name><description/><color>deep-blue</color><cannedResponses/>
  <formElements>
    <formElement type="string" ID="F1" rank="0"><name>title</name><label>Title</label></formElement>
    <formElement type="sb" ID="F2" rank="1"><name>state</name><label>State</label>
      <bind type="static" is_rank_alpha="0"><items>
        <item ID="V1" label="Open" is_hidden="0"/><item ID="V2" label="Doing" is_hidden="0"/><item ID="V3" label="Done" is_hidden="0"/>
      </items></bind></formElement>
    <formElement type="float" ID="F3" rank="2"><name>effort</name><label>Effort</label></formElement>
  </formElements>
  <semantics>
    <semantic type="title"><field REF="F1"/></semantic>
    <semantic type="status"><field REF="F2"/><open_values><open_value REF="V1"/><open_value REF="V2"/></open_values></semantic>
  </semantics>
  <permissions>${['READ', 'SUBMIT', 'UPDATE']
    .flatMap((type) =>
      ['F1', 'F2', 'F3'].map(
        (field) =>
          `<permission scope="field" REF="${field}" ugroup="UGROUP_${type === 'READ' ? 'ANONYMOUS' : 'REGISTERED'}" type="PLUGIN_TRACKER_FIELD_${type}"/>`,
      ),
    )
    .join('')}</permissions>
  <artifacts>${pasts
    .map(
      (turns, place) =>
        `<artifact id="${place + 1}">${turns.map((turn) => changesetXml(turn, place)).join('')}</artifact>`,
    )
    .join('')}</artifacts>
</tracker>`;

/** What somebody would count by hand: what an artifact was at an instant; undefined before it was made. */
function stateAt(turns: readonly Turn[], at: number): { state: string | null; effort: number } | undefined {
  const past = turns.filter((turn) => turn.at.getTime() < at);
  if (past.length === 0) return undefined;
  return {
    state: past.findLast(({ state }) => state !== undefined)?.state ?? null,
    effort: past.findLast(({ effort }) => effort !== undefined)?.effort ?? 0,
  };
}
const isOpen = (state: string | null | undefined) => state === 'Open' || state === 'Doing';
const statesAt = (at: number) => pasts.flatMap((turns) => stateAt(turns, at) ?? []);
const isoDay = (date: Date) => date.toISOString().slice(0, 10);

/** The first days of steps as somebody would leaf through a calendar. */
function stepsOf(step: 'day' | 'week' | 'month', from: Date, to: Date): Date[] {
  const at = new Date(from);
  if (step === 'week') while (at.getUTCDay() !== 1) at.setUTCDate(at.getUTCDate() - 1);
  if (step === 'month') at.setUTCDate(1);
  const steps: Date[] = [];
  while (at <= to) {
    steps.push(new Date(at));
    if (step === 'month') at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCDate(at.getUTCDate() + (step === 'week' ? 7 : 1));
  }
  return steps;
}

describe.each(engines)('trends on %s', (engine) => {
  let atelier: Atelier;
  let bench: ArchiveBench;
  let tracker: number;
  const shelf = new ArchiveShelf();
  const ask = (parameters: string, caller: Caller = atelier.admin) =>
    caller.get(`/trackers/${tracker}/artifact_trends?${parameters}`);

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    bench = await ArchiveBench.open(atelier.instance);
    const content = `<trackers use-natures="true">${trackerXml}<triggers/></trackers>`;
    const files = {
      'project.xml': projectXml('pasts', content, 'access="public"'),
      'users.xml': usersXml([]),
    };
    const report = await bench.import(shelf.add(files), {});
    const { body } = await atelier.admin.get(`/projects/${report.project.id}/trackers`);
    tracker = body[0].id;
  });
  afterAll(async () => {
    shelf.remove();
    await bench?.close();
    await atelier?.stop();
  });

  const from = new Date(Date.UTC(2024, 0, 15));
  const to = new Date(Date.UTC(2024, 3, 20));
  const range = `from=${isoDay(from)}&to=${isoDay(to)}`;
  /** The number of steps, and where each ends. */
  const endsOf = (step: 'day' | 'week' | 'month') => {
    const steps = stepsOf(step, from, to);
    const after = stepsOf(step, from, new Date(to.getTime() + 40 * day));
    return {
      steps: steps.map(isoDay),
      ends: steps.map((_, place) => after[place + 1]?.getTime() ?? 0),
      starts: steps.map(Number),
    };
  };
  const valuesOf = (body: { series: { key: unknown; label: string; values: number[] }[] }, name: string) =>
    body.series.find(({ key, label }) => key === name || label === name)?.values;

  test.each(['day', 'week', 'month'] as const)(
    'by %s equal what is counted out of the history',
    async (step) => {
      const { steps, ends, starts } = endsOf(step);
      const states = await ask(`kind=states&step=${step}&${range}`);
      expect(states.status, states.text).toBe(200);
      expect(states.body.steps).toEqual(steps);
      for (const label of ['Open', 'Doing', 'Done'])
        expect(valuesOf(states.body, label)).toEqual(
          ends.map((end) => statesAt(end).filter(({ state }) => state === label).length),
        );
      const none = states.body.series.find(({ key }: { key: unknown }) => key === null);
      expect(none.values).toEqual(
        ends.map((end) => statesAt(end).filter(({ state }) => state === null).length),
      );

      const { body: total } = await ask(`kind=total&step=${step}&${range}`);
      expect(valuesOf(total, 'all')).toEqual(ends.map((end) => statesAt(end).length));
      expect(valuesOf(total, 'open')).toEqual(
        ends.map((end) => statesAt(end).filter(({ state }) => isOpen(state)).length),
      );

      const { body: flow } = await ask(`kind=flow&step=${step}&${range}`);
      expect(valuesOf(flow, 'created')).toEqual(
        ends.map((end, place) => statesAt(end).length - statesAt(starts[place] ?? 0).length),
      );
      expect(valuesOf(flow, 'closed')).toEqual(
        ends.map(
          (end, place) =>
            pasts.filter((turns) => {
              const [before, after] = [stateAt(turns, starts[place] ?? 0), stateAt(turns, end)];
              return (
                after !== undefined && !isOpen(after.state) && (before === undefined || isOpen(before.state))
              );
            }).length,
        ),
      );

      const { body: effort } = await ask(`kind=effort&field=effort&step=${step}&${range}`);
      const sum = (some: { effort: number }[]) =>
        Math.round(some.reduce((all, one) => all + one.effort, 0) * 1e6) / 1e6;
      expect(valuesOf(effort, 'all')).toEqual(ends.map((end) => sum(statesAt(end))));
      expect(valuesOf(effort, 'closed')).toEqual(
        ends.map((end) => sum(statesAt(end).filter(({ state }) => !isOpen(state)))),
      );
    },
  );

  test('count only what the search finds today', async () => {
    const query = encodeURIComponent(JSON.stringify({ title: 'Title 1' }));
    const { body } = await ask(`kind=total&${range}&query=${query}`);
    const { headers } = await atelier.admin.get(`/trackers/${tracker}/artifact_rows?limit=1&query=${query}`);
    expect(valuesOf(body, 'all')?.at(-1)).toBe(Number(headers.get('x-pagination-size')));
  });

  test('tell of a change at once, and nothing of days to come', async () => {
    const { body: form } = await atelier.admin.get(`/trackers/${tracker}`);
    const field = form.fields.find(({ name }: { name: string }) => name === 'state');
    const done = field.values.find(({ label }: { label: string }) => label === 'Done').id;
    const doing = field.values.find(({ label }: { label: string }) => label === 'Doing').id;
    const now = Date.parse((await atelier.admin.get('/projects')).headers.get('date') ?? '');
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Paris' }).format(now);
    const days = `from=${today}&to=${isoDay(new Date(Date.parse(today) + 3 * day))}`;
    const doneNow = async () => valuesOf((await ask(`kind=states&${days}`)).body, 'Done');
    const { body: rows } = await atelier.admin.get(
      `/trackers/${tracker}/artifact_rows?limit=1&query=${encodeURIComponent(JSON.stringify({ state: { operator: 'not', value: [done] } }))}`,
    );
    const id = rows.rows[0].id;
    await change(atelier.admin, id, [{ field_id: field.field_id, bind_value_ids: [doing] }]);
    const before = await doneNow();
    await change(atelier.admin, id, [{ field_id: field.field_id, bind_value_ids: [done] }]);
    const after = await doneNow();
    expect(after?.[0]).toBe((before?.[0] ?? 0) + 1);
    expect(after?.slice(1)).toEqual([null, null, null]);
  });

  test.each([
    ['kind=moods', 'kind'],
    ['', 'kind'],
    ['kind=total&from=yesterday', 'from'],
    ['kind=total&from=2024-02-30', 'from'],
    ['kind=total&from=2024-02-02&to=2024-02-01', 'to'],
    ['kind=total&from=2000-01-01&to=2024-01-01', 'to'],
    ['kind=total&step=hour', 'step'],
    ['kind=effort', 'field'],
    ['kind=effort&field=title', 'field'],
    ['kind=effort&field=__proto__', 'field'],
    ['kind=total&artifact=1&parent=1', 'artifact'],
    ['kind=total&expert_query=state', ''],
  ])('refuse %s', async (parameters, member) => {
    const { status, text } = await ask(parameters);
    expect(status, text).toBe(400);
    expect(text).toContain(member);
  });

  test('leave out nobody whose past others find to be old meanwhile', async () => {
    const database = await databaseOf(atelier);
    const { body } = await atelier.admin.get(`/trackers/${tracker}/artifacts?limit=2`);
    const [first, second] = body.map(({ id }: { id: number }) => id);
    const form = await readTracker(atelier.admin, tracker);
    const [state, title] = ['state', 'title'].map((name) => fieldNamed(form, name).field_id);
    const fields = { trackerId: tracker, fieldIds: [state ?? 0] };
    const turns = new ValueTurns();
    const silent = { check: () => undefined, visit: () => undefined };
    await turns.each(database, fields, [first], silent);
    let others: Promise<void> | undefined;
    let seen = 0;
    await database.consistently(60_000, async (reader) => {
      // What is read first says which state is seen from then on.
      await reader.all(database.sql.selectFrom('artifact').select('id').where('id', '=', first));
      await change(atelier.admin, first, [{ field_id: title ?? 0, value: 'Another' }]);
      await turns.each(reader, fields, [first, second], {
        check: () => {
          others ??= turns.each(database, fields, [first], silent);
        },
        visit: () => seen++,
      });
    });
    await others;
    expect(seen).toBe(2);
    await database.close();
  });

  test('are not told to those who may not read the status or the number', async () => {
    const { body: form } = await atelier.admin.get(`/trackers/${tracker}`);
    const [state, effort] = ['state', 'effort'].map(
      (name) => form.fields.find((field: { name: string }) => field.name === name).field_id,
    );
    const zoe = await atelier.createUser('zoe');
    const administrators = [`${form.project.id}_4`];
    for (const field of [state, effort])
      await setFieldPermissions(atelier.admin, field, {
        can_read: administrators,
        can_submit: [],
        can_update: [],
      });
    for (const parameters of ['kind=states', 'kind=flow', 'kind=total', 'kind=effort&field=effort'])
      expect((await ask(parameters, zoe)).status, parameters).toBe(400);
    expect((await ask('kind=states')).status).toBe(200);
  });
});
