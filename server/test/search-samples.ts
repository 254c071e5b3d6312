import type { Tracker } from '@atelier/contract';
import fc from 'fast-check';
import type { Condition, Fact, LinkEnd, Range } from '../src/trackers/index.ts';
import { fieldNamed, valueIds } from './tracker-fixtures.ts';

const words = [
  'Café',
  'Straße',
  'naïve',
  'alpha',
  'beta one',
  'a',
  '100%',
  'under_score',
  '日本語',
  '"quoted"',
  '',
];
const line = fc
  .array(fc.constantFrom(...words), { minLength: 0, maxLength: 3 })
  .map((some) => some.join(' '));
const parts = [
  'cafe',
  'strasse',
  'alp',
  'a',
  'beta one',
  'one',
  '%',
  '_',
  '日本',
  '日',
  '"',
  'xyz',
  'e ',
  'af',
  '',
];
export const part = fc.constantFrom(...parts);
const pattern = fc.constantFrom('a', '^alpha', 'caf.', '[0-9]$', 'b.*e', '^$', '^1', 'x|y|a', '[02468]$');
const days = Array.from({ length: 12 }, (_, index) => `2024-03-${String(index + 1).padStart(2, '0')}`);
const minute = fc.integer({ min: 0, max: 30 });

export interface People {
  readonly accounts: readonly number[];
  /** Ids of groups as the API writes them. */
  readonly groups: readonly string[];
}

type Entry = Readonly<Record<string, unknown>> & { readonly field_id: number };

/** Values for some fields of a tracker that has them all. */
export function entriesFor(tracker: Tracker, { accounts, groups }: People, targets: readonly number[]) {
  const id = (name: string) => fieldNamed(tracker, name).field_id;
  const of = <T>(name: string, values: fc.Arbitrary<T>, write: (value: T) => object): fc.Arbitrary<Entry> =>
    values.map((value) => ({ field_id: id(name), ...write(value) }));
  const plain = <T>(name: string, values: fc.Arbitrary<T>) => of(name, values, (value) => ({ value }));
  const chosen = (name: string, ids: readonly unknown[], isOne: boolean) =>
    of(name, fc.subarray([...ids], { maxLength: isOne ? 1 : ids.length }), (some) => ({
      bind_value_ids: some.length === 0 ? [100] : some,
    }));
  const lists = ['sb', 'rb', 'msb', 'cb'].flatMap((type) => {
    const isOne = type === 'sb' || type === 'rb';
    return [
      chosen(type, Object.values(valueIds(fieldNamed(tracker, type))), isOne),
      chosen(`${type}_users`, accounts, isOne),
      chosen(`${type}_ugroups`, groups, isOne),
    ];
  });
  const format = fc.constantFrom('text', 'html', 'commonmark');
  const links = fc.uniqueArray(
    fc.record({ id: fc.constantFrom(...targets), type: fc.constantFrom('', '_is_child', '_covered_by') }),
    { selector: (link) => link.id, maxLength: 3 },
  );
  const all = [
    plain('string', line),
    plain(
      'text',
      fc.record({ content: line.map((text) => (text === '' ? '' : `**${text}** &amp; <b>x</b>`)), format }),
    ),
    plain('int', fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constant(''))),
    plain(
      'float',
      fc.oneof(
        fc.integer({ min: -6, max: 6 }).map((half) => half / 2),
        fc.constant(''),
      ),
    ),
    plain('date', fc.constantFrom(...days, '')),
    plain(
      'datetime',
      fc
        .record({ day: fc.constantFrom(...days), at: minute })
        .map(({ day, at }) => `${day}T10:${String(at).padStart(2, '0')}:00+00:00`),
    ),
    of('tbl', fc.subarray(['red', 'blue', 'Typed', 'Getippt']), (labels) => ({
      value: { bind_value_objects: labels.map((label) => ({ label })) },
    })),
    of(
      'perm',
      fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.subarray([...groups])),
      (granted_groups) => ({
        value: { granted_groups },
      }),
    ),
    ...(targets.length === 0 ? [] : [of('art_link', links, (some) => ({ links: some }))]),
    ...lists,
  ];
  return fc
    .tuple(...all.map((one) => fc.option(one, { freq: 3 })))
    .map((some) => some.filter((it) => it !== null));
}

export interface Known {
  readonly fields: Readonly<Record<string, number>>;
  readonly entries: readonly number[];
  readonly accounts: readonly number[];
  readonly ids: readonly number[];
  readonly trackerNames: readonly string[];
  /** An instant at about which all of them were made. */
  readonly now: number;
}

const day = 86_400_000;

function rangeOf(bound: fc.Arbitrary<number>): fc.Arbitrary<Range> {
  const open = fc.option(fc.boolean(), { nil: undefined });
  return fc
    .record({
      from: fc.option(bound, { nil: undefined }),
      to: fc.option(bound, { nil: undefined }),
      isFromOpen: open,
      isToOpen: open,
    })
    .map(({ from, to, isFromOpen, isToOpen }) => ({
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(isFromOpen === undefined ? {} : { isFromOpen }),
      ...(isToOpen === undefined ? {} : { isToOpen }),
    }));
}

/** Conditions of every kind, one inside another. */
export function conditionsOver(known: Known): fc.Arbitrary<Condition> {
  const { fields, entries, accounts, ids, trackerNames, now } = known;
  const fieldOf = (...names: readonly string[]) => fc.constantFrom(...names.map((name) => fields[name] ?? 0));
  const listNames = ['sb', 'rb', 'msb', 'cb'].flatMap((type) => [type, `${type}_users`, `${type}_ugroups`]);
  const lists = fieldOf(...listNames, 'tbl');
  // Days about which the values are, and days so far off that a range has whole spans of the index in it.
  const [near, far] = [fc.integer({ min: -2, max: 14 }), fc.integer({ min: -50, max: 50 })];
  const measured = fc.oneof(
    fc.record({ fieldId: fieldOf('int', 'float'), range: rangeOf(fc.integer({ min: -4, max: 13 })) }),
    fc.record({
      fieldId: fieldOf('date'),
      range: rangeOf(fc.oneof(near, far).map((days) => Date.parse('2024-03-01') / day + days)),
    }),
    fc.record({
      fieldId: fieldOf('datetime'),
      range: rangeOf(fc.oneof(near, far).map((days) => Date.parse('2024-03-01T10:10Z') + days * day)),
    }),
  );
  const id = fc.constantFrom(...ids);
  const factRange = fc.oneof(
    fc.record({ fact: fc.constant<Fact>('id'), range: rangeOf(id) }),
    fc.record({ fact: fc.constant<Fact>('number'), range: rangeOf(fc.integer({ min: 0, max: 30 })) }),
    fc.record({ fact: fc.constant<Fact>('rank'), range: rangeOf(id.map((it) => it * 2 ** 20)) }),
    fc.record({
      fact: fc.constantFrom<Fact>('submittedOn', 'modifiedOn'),
      range: rangeOf(
        fc
          .oneof(
            fc.integer({ min: -20_000, max: 20_000 }),
            far.map((days) => days * day),
          )
          .map((ms) => now + ms),
      ),
    }),
  );
  const end: fc.Arbitrary<LinkEnd> = fc.oneof(
    fc.constant({ is: 'anything' as const }),
    id.map((it) => ({ is: 'artifact' as const, id: it })),
    fc.record({
      is: fc.constant('tracker' as const),
      name: fc.constantFrom(...trackerNames, 'none'),
      isNot: fc.boolean(),
    }),
    rangeOf(id).map((range) => ({ is: 'id in' as const, range })),
    pattern.map((it) => ({ is: 'id matching' as const, pattern: it })),
  );
  const direction = fc.constantFrom('forward' as const, 'reverse' as const);
  const type = fc.constantFrom('', '_is_child', '_covered_by', 'unknown');
  const leaf: fc.Arbitrary<Condition> = fc.oneof(
    fc.constantFrom<Condition>({ is: 'anything' }, { is: 'nothing' }),
    fc.record({ is: fc.constant('listed' as const), fieldId: lists, entries: fc.subarray([...entries]) }),
    fc.record({
      is: fc.constant('filled' as const),
      fieldId: fieldOf(...listNames, 'tbl', 'string', 'text', 'int', 'float', 'date', 'datetime', 'file'),
    }),
    measured.map((it) => ({ is: 'measured' as const, ...it })),
    fc.record({ is: fc.constant('containing' as const), fieldId: fieldOf('string', 'text'), part }),
    fc.record({
      is: fc.constant('matching' as const),
      fieldId: fieldOf('string', 'text', 'int', 'float'),
      pattern,
      isNot: fc.boolean(),
    }),
    fc.record({ is: fc.constant('file' as const), fieldId: fieldOf('file'), part }),
    factRange.map((it) => ({ is: 'fact' as const, ...it })),
    fc.record({
      is: fc.constant('fact matching' as const),
      fact: fc.constantFrom<Fact>('id', 'number', 'rank'),
      pattern,
      isNot: fc.boolean(),
    }),
    fc.record({
      is: fc.constant('by' as const),
      who: fc.constantFrom('submitter' as const, 'editor' as const),
      accountIds: fc.subarray([...accounts]),
    }),
    part.map((it) => ({ is: 'commented' as const, part: it })),
    fc.record({ is: fc.constant('linked' as const), direction, end }),
    fc.record({ is: fc.constant('linked' as const), direction, type, end }),
    id.map((it) => ({ is: 'referenced' as const, id: it })),
  );
  return fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      tie('condition').map((condition) => ({ is: 'not' as const, condition })),
      fc.record({
        is: fc.constantFrom('all of' as const, 'any of' as const),
        conditions: fc.array(tie('condition'), { maxLength: 3 }),
      }),
    ),
  })).condition;
}
