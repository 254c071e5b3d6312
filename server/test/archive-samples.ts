import type { Tracker } from '@atelier/contract';
import fc from 'fast-check';
import type { Caller } from './harness/atelier.ts';
import { addField, createTracker, readTracker } from './tracker-fixtures.ts';

type Members = Readonly<Record<string, unknown>>;
/** An element of a form as it is asked for, without its place. */
type Element = Members & { readonly type: string; readonly name: string };

/** Characters that XML cannot carry are in no archive. */
const carried = (text: string) => !/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text);

export const words = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom('<b>&amp;</b>', 'it\'s "so"', ' two  blanks ', ']]>', 'a,b', '"quoted, twice"'),
  )
  .map((text) => text.trim())
  .filter((text) => text !== '' && carried(text) && !/[\r\n\0]/.test(text));

export const prose = fc
  .oneof(
    words,
    fc.constantFrom('', '# a\r\n\r\n- b\n', '<p>x<br>y</p>', 'art #1 and\tart # 1', ' \n ', '**x**'),
  )
  .filter(carried);

const colour = fc.constantFrom(null, 'fiesta-red', 'neon-green', '#12AB00');
const count = fc.integer({ min: 0, max: 500 });

const value = fc.record(
  { label: words, description: words, color: colour, is_hidden: fc.boolean() },
  { requiredKeys: ['label'] },
);
const values = fc.uniqueArray(value, { selector: ({ label }) => label, minLength: 3, maxLength: 5 });

const settings: Readonly<Record<string, fc.Arbitrary<Members>>> = {
  string: fc.record(
    { maxchars: fc.constantFrom(0, 5000), size: count, default_value: words },
    { requiredKeys: [] },
  ),
  text: fc.record({ rows: count, cols: count, default_value: prose }, { requiredKeys: [] }),
  int: fc.record({ size: count, default_value: fc.integer() }, { requiredKeys: [] }),
  float: fc.record(
    { maxchars: count, default_value: fc.double({ noNaN: true, noDefaultInfinity: true }) },
    { requiredKeys: [] },
  ),
  date: fc.record(
    {
      default_value_type: fc.constantFrom(0, 1),
      default_value: fc.constantFrom(null, 1_700_000_000, -86_400 * 365),
    },
    { requiredKeys: [] },
  ),
  computed: fc.record({ default_value: fc.integer() }, { requiredKeys: [] }),
  msb: fc.record({ size: count }, { requiredKeys: [] }),
  tbl: fc.record({ hint: words }, { requiredKeys: [] }),
  art_link: fc.record({ can_edit_reverse_links: fc.constantFrom(0, 1) }),
  staticrichtext: fc.record({ static_value: fc.constantFrom('Be <b>kind</b>.', '', 'x & y') }),
};

const lists = ['sb', 'rb', 'msb', 'cb', 'tbl'];

function listBinds(
  people: readonly number[],
  groups: readonly string[],
): Readonly<Record<string, fc.Arbitrary<Members>>> {
  return {
    '': fc.record({ values, is_alphabetic: fc.boolean() }).map((own) => ({
      bind: { type: 'static', ...own },
      default_values: own.is_alphabetic ? own.values.slice(0, 1).map(({ label }) => label) : [],
    })),
    _users: fc.record({
      bind: fc.constant({ type: 'users', groups: ['0', ...groups] }),
      default_values: fc.constantFrom([], people.slice(0, 1).map(String)),
      has_notifications: fc.boolean(),
    }),
    _ugroups: fc.constantFrom(
      { bind: { type: 'ugroups' }, default_values: groups.slice(0, 1) },
      { bind: { type: 'ugroups' } },
    ),
  };
}

/** One element of a type, with settings and words of its own. */
function elementOf(
  type: string,
  name: string,
  more: fc.Arbitrary<Members> = fc.constant({}),
): fc.Arbitrary<Element> {
  return fc
    .record({
      label: words,
      description: fc.oneof(words, fc.constant('')),
      specific_properties: settings[type] ?? fc.constant({}),
      own: more,
    })
    .map(({ own, ...common }) => ({ type, name, ...common, ...own }));
}

const plainTypes = [
  ...[
    'string',
    'text',
    'int',
    'float',
    'date',
    'file',
    'art_link',
    'perm',
    'computed',
    'burndown',
    'aid',
    'atid',
  ],
  ...['priority', 'subby', 'luby', 'subon', 'lud', 'cross', 'linebreak', 'separator', 'staticrichtext'],
];

const timed = settings['date']?.map((own) => ({ specific_properties: { ...own, display_time: 1 } }));

/** A form with every type of element and every bind, in some order. */
export function forms(
  people: readonly number[],
  groups: readonly string[],
): fc.Arbitrary<readonly Element[]> {
  const binds = listBinds(people, groups);
  const all = [
    ...plainTypes.map((type) => elementOf(type, type)),
    elementOf('date', 'datetime', timed),
    ...lists.flatMap((type) =>
      Object.entries(binds).map(([suffix, bind]) => elementOf(type, `${type}${suffix}`, bind)),
    ),
  ];
  return fc.tuple(...all).chain((elements) => fc.shuffledSubarray([...elements], { minLength: all.length }));
}

/** Makes a tracker with such a form, half of it in a column and half at the root. */
export async function createForm(
  caller: Caller,
  projectId: number,
  elements: readonly Element[],
  more: Members,
): Promise<Tracker> {
  const { id } = await createTracker(caller, projectId, more);
  const fieldset = await addField(caller, id, { type: 'fieldset', name: 'fieldset' });
  const column = await addField(caller, id, { type: 'column', name: 'column', parent_id: fieldset.field_id });
  for (const [index, element] of elements.entries())
    await addField(caller, id, { ...element, ...(index % 2 === 0 ? { parent_id: column.field_id } : {}) });
  return readTracker(caller, id);
}
