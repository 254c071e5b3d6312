import type { Tracker } from '@atelier/contract';
import fc from 'fast-check';
import type { Value } from './artifact-fixtures.ts';
import { fieldNamed, valueIds } from './tracker-fixtures.ts';

/** What is sent for a field, and a test of what is read afterwards. */
export interface Sample {
  readonly name: string;
  readonly sent: object;
  readonly isRead: (entry: Value) => boolean;
}

/** Characters that XML cannot carry make no value that could be sent back in it. */
const carried = (text: string) => !/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text);
const line = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .filter((text) => !/[\r\n\0]/.test(text) && carried(text));
const content = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '<b>x</b>',
      '**x** _y_',
      '# a\r\n\r\n- b',
      'art #1 & <',
      '&lt;&amp;amp;',
      '`<i>`',
      ' ',
      '\n',
    ),
  )
  .filter((text) => !text.includes('\0') && carried(text));

const sameSet = (left: readonly unknown[], right: readonly unknown[]) =>
  left.length === right.length && left.every((item) => right.includes(item));

const asText = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | string> => fc.oneof(values, values.map(String));

const samples = <T>(
  name: string,
  values: fc.Arbitrary<T>,
  write: (value: T) => object,
  isRead: (entry: Value, value: T) => boolean,
): fc.Arbitrary<Sample> =>
  values.map((value) => ({ name, sent: write(value), isRead: (entry) => isRead(entry, value) }));

const inParis = (date: Date) => date.toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' });
const dates = fc.date({ min: new Date('1850-01-02'), max: new Date('9990-01-01'), noInvalidDate: true });
const written = (date: Date) => date.toISOString().replace(/\.\d+Z$/, '+00:00');

export const plainSamples: readonly fc.Arbitrary<Sample>[] = [
  samples(
    'string',
    line,
    (value) => ({ value }),
    (entry, value) => entry.value === value,
  ),
  samples(
    'text',
    fc.record({ content, format: fc.constantFrom('text', 'html', 'commonmark') }),
    (value) => ({ value }),
    // Another format of the same content is no change, so that it may be shown in the one before.
    (entry, value) => (entry.commonmark ?? entry.value) === value.content,
  ),
  samples(
    'int',
    fc.oneof(fc.maxSafeInteger(), fc.constant('')),
    (value) => ({ value }),
    (entry, value) => (value === '' ? entry.value === null : entry.value === value),
  ),
  samples(
    'int',
    fc.maxSafeInteger(),
    (value) => ({ value: String(value) }),
    (entry, value) => entry.value === value,
  ),
  samples(
    'float',
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    (value) => ({ value: value < 1 ? value : String(value) }),
    (entry, value) => entry.value === value,
  ),
  samples(
    'date',
    dates,
    (date) => ({ value: written(date) }),
    (entry, date) => entry.value.slice(0, 10) === inParis(date),
  ),
  samples(
    'datetime',
    dates,
    (date) => ({ value: written(date) }),
    // Offsets of long ago had seconds, which are not shown.
    (entry, date) => Math.abs(Date.parse(entry.value) - date.getTime()) < 120_000,
  ),
  samples(
    'computed',
    fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    (manual) => (manual === null ? { is_autocomputed: true } : { manual_value: manual }),
    (entry, manual) =>
      entry.manual_value === (manual === 0 ? 0 : manual) && entry.is_autocomputed === (manual === null),
  ),
];

/** Lists of every kind, for the values that they have here. */
export function listSamples(
  tracker: Tracker,
  people: readonly number[],
  groups: readonly string[],
): fc.Arbitrary<Sample>[] {
  const closed = ['sb', 'rb', 'msb', 'cb'].flatMap((type) => {
    const isOne = type === 'sb' || type === 'rb';
    const some = <T>(values: readonly T[]) =>
      fc.subarray([...values], { maxLength: isOne ? 1 : values.length });
    const colours = Object.values(valueIds(fieldNamed(tracker, type)));
    const send = (ids: readonly unknown[]) => ({ bind_value_ids: ids.length === 0 ? [100] : ids });
    return [
      samples(type, some(colours), send, (entry, ids) => sameSet(entry.bind_value_ids, ids)),
      samples(
        type,
        asText(fc.constantFrom(...colours)),
        (id) => ({ bind_value_ids: [id, id, 0] }),
        (entry, id) => sameSet(entry.bind_value_ids, [Number(id)]),
      ),
      samples(`${type}_users`, some(people), send, (entry, ids) =>
        sameSet(entry.bind_value_ids, ids.length === 0 ? [100] : ids),
      ),
      samples(`${type}_ugroups`, some(groups), send, (entry, ids) => sameSet(entry.bind_value_ids, ids)),
    ];
  });
  const objects = (bind_value_objects: readonly unknown[]) => ({ value: { bind_value_objects } });
  const labels = fc.uniqueArray(
    fc
      .oneof(
        fc.constantFrom('red', 'blue'),
        line.map((text) => text.trim()),
      )
      .filter((text) => text !== ''),
    { maxLength: 4 },
  );
  const idsIn = (entry: Value) => entry.bind_value_objects.map(({ id }: { id: unknown }) => id);
  return [
    ...closed,
    samples(
      'tbl',
      labels,
      (given) => ({ bind_value_ids: given }),
      (entry, given) => sameSet(entry.bind_value_ids, given),
    ),
    samples(
      'tbl',
      labels,
      (given) => objects(given.map((label) => ({ label }))),
      (entry, given) => sameSet(entry.bind_value_ids, given),
    ),
    samples(
      'tbl_users',
      fc.subarray([...people]),
      (ids) => objects(ids.map((id) => ({ id }))),
      (entry, ids) => sameSet(idsIn(entry), ids),
    ),
    samples(
      'tbl_ugroups',
      fc.subarray([...groups]),
      (ids) => objects(ids.map((id) => ({ id }))),
      (entry, ids) => sameSet(idsIn(entry), ids),
    ),
    samples(
      'perm',
      fc.subarray([...groups]),
      (ids) => ({ value: { granted_groups: ids } }),
      (entry, ids) => sameSet(entry.granted_groups_ids, ids),
    ),
  ];
}

/** Links to some of these artifacts. */
export const linkSamples = (targets: readonly number[]) => {
  const link = fc.record({
    id: fc.constantFrom(...targets),
    type: fc.constantFrom('', '_is_child', '_covered_by'),
  });
  const links = fc.uniqueArray(link, { selector: ({ id }) => id, maxLength: 3 });
  return samples(
    'art_link',
    links,
    (sent) => ({ links: sent }),
    (entry, sent) =>
      sameSet(
        entry.links.map(({ id, type }: { id: number; type: string | null }) => `${id} ${type ?? ''}`),
        sent.map(({ id, type }) => `${id} ${type}`),
      ),
  );
};
