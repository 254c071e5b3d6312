import type { ReportSettings, Tracker } from '@atelier/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { prose, words } from './archive-samples.ts';
import type { Caller } from './harness/atelier.ts';
import { fieldNamed, valueIds } from './tracker-fixtures.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Saves a report and gives it with all its settings. */
export async function saveReport(
  caller: Caller,
  trackerId: number,
  report: Members,
): Promise<ReportSettings> {
  const { status, body, text } = await caller.post(`/trackers/${trackerId}/tracker_reports`, report);
  expect(status, text).toBe(201);
  return body;
}

const isPattern = (text: string) => /^!?\//.test(text);

/** Values that can be looked for, by the names of fields that `forms` makes. */
function criteriaOn(tracker: Tracker, people: readonly number[]): fc.Arbitrary<Members> {
  const texts = fc.oneof(
    words.filter((text) => !isPattern(text)),
    fc.constantFrom('5', '>= 3', '1 - 10', '/a+b/', '', null),
  );
  const listed = (name: string) => {
    const ids = [100, ...Object.values(valueIds(fieldNamed(tracker, name)))];
    return fc.oneof(fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 4 }), fc.constantFrom(...ids, null));
  };
  const days = fc.constantFrom(
    { operator: 'between', value: ['2024-01-01', '2024-02-01'] },
    '2024-01-01',
    null,
  );
  const texted = ['string', 'text', 'int', 'float', 'file', 'aid', 'art_link'].map((name) => [name, texts]);
  const chosen = ['sb', 'rb', 'msb', 'cb', 'tbl'].map((name) => [name, listed(name)]);
  const others = [
    ['date', days],
    ['subon', days],
    ['sb_users', fc.constantFrom(people[0], [...people], null)],
    ['@comments', texts],
  ];
  const all = Object.fromEntries([...texted, ...chosen, ...others]);
  return fc.record(all, { requiredKeys: [] });
}

/** Reports with anything that archives can carry and some things that they cannot. */
export function reportsOn(tracker: Tracker, people: readonly number[]): fc.Arbitrary<readonly Members[]> {
  const names = ['string', 'aid', 'sb', 'msb_users', 'computed', 'date', 'tbl', 'art_link', 'luby'];
  const ids = names.map((name) => fieldNamed(tracker, name).field_id);
  const some = fc.shuffledSubarray(ids);
  const links = { field_id: fieldNamed(tracker, 'art_link').field_id, artlink_nature: '_is_child' };
  const columns = some.map((chosen) => [...chosen.map((field_id) => ({ field_id })), links]);
  const table = fc.record(
    {
      label: words,
      description: words,
      page_size: fc.integer({ min: 1, max: 1000 }),
      columns: fc.option(columns),
      sort: some.map((chosen) => chosen.map((field_id) => ({ field_id, is_descending: field_id % 2 === 0 }))),
    },
    { requiredKeys: [] },
  );
  const report = fc.record(
    {
      label: words,
      description: prose,
      is_public: fc.constant(true),
      is_default: fc.boolean(),
      is_query_displayed: fc.boolean(),
      is_in_expert_mode: fc.boolean(),
      expert_query: fc.constantFrom('', 'string = "a & <b>"', "int > 3\n  or sb = ''"),
      criteria: criteriaOn(tracker, people),
      renderers: fc.array(table, { maxLength: 3 }),
    },
    { requiredKeys: ['label', 'is_public'] },
  );
  return fc.array(report, { minLength: 1, maxLength: 4 });
}
