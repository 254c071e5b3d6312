import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/index.ts';
import type { Condition, Field, Range } from '../../src/trackers/index.ts';
import { fieldTypes } from '../../src/trackers/index.ts';

const day = 86_400_000;
const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Europe/Paris';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

function field(withTime: boolean): Field {
  const type = fieldTypes.get('date');
  if (type === undefined) throw new Error('There are no dates.');
  return {
    id: 7,
    trackerId: 1,
    projectId: 101,
    parentId: null,
    type,
    name: 'due',
    label: 'Due',
    description: '',
    rank: 0,
    isRequired: false,
    isUsed: true,
    hasNotifications: false,
    properties: { display_time: withTime ? 1 : 0 },
    bind: null,
    grants: { read: [], submit: [], update: [] },
    head: '',
  };
}

const instant = (text: string) => Date.parse(text);
const dayNumber = (text: string) => Date.parse(`${text}T00:00Z`) / day;
/** The moment at which queries are asked. */
const now = '2024-01-31T22:30:45+01:00';

async function found(withTime: boolean, text: string, at = now): Promise<Condition> {
  const query = parseQuery(text);
  if (query.form !== 'condition') throw new Error('Expecting a condition.');
  const [[comparison] = []] = query.condition.options;
  if (comparison?.is !== 'comparison') throw new Error('Expecting a comparison.');
  const searched = field(withTime);
  const context = { now: instant(at) } as Parameters<NonNullable<typeof compare>>[2];
  const compare = searched.type.search?.compare;
  if (compare === undefined) throw new Error('Dates cannot be compared.');
  return compare(searched, comparison, context);
}

const measured = (range: Range) => ({ is: 'measured', fieldId: 7, range });
const days = (from?: string, to?: string) =>
  measured({
    ...(from === undefined ? {} : { from: dayNumber(from) }),
    ...(to === undefined ? {} : { to: dayNumber(to) }),
  });
const until = (from: string, to: string) =>
  measured({ from: instant(from), to: instant(to), isToOpen: true });

describe('a date without time', () => {
  test.each([
    ['due = "2024-01-10"', days('2024-01-10', '2024-01-10')],
    ['due < "2024-01-10"', days(undefined, '2024-01-09')],
    ['due <= "2024-01-10"', days(undefined, '2024-01-10')],
    ['due > "2024-01-10"', days('2024-01-11')],
    ['due >= "2024-01-10"', days('2024-01-10')],
    ['due between("2024-01-10", "2024-02-01")', days('2024-01-10', '2024-02-01')],
    ['due = "2017-02-31"', days('2017-03-03', '2017-03-03')],
    ['due = "2024-1-5"', days('2024-01-05', '2024-01-05')],
    ['due = "2024-13-00"', days('2024-12-31', '2024-12-31')],
    ['due = "2024-03-31"', days('2024-03-31', '2024-03-31')],
    ['due = "2024-10-27"', days('2024-10-27', '2024-10-27')],
    ['due = NOW()', days('2024-01-31', '2024-01-31')],
    ['due > NOW() - 1d', days('2024-01-31')],
    ['due = NOW() + 1w', days('2024-02-07', '2024-02-07')],
    ['due = NOW() + 1m', days('2024-03-02', '2024-03-02')],
    ['due = NOW() - 1y', days('2023-01-31', '2023-01-31')],
    ['due = NOW() + 13m', days('2025-03-03', '2025-03-03')],
    ['due != "2024-01-10"', { is: 'not', condition: days('2024-01-10', '2024-01-10') }],
    ['due = ""', { is: 'not', condition: { is: 'filled', fieldId: 7 } }],
    ['due != ""', { is: 'filled', fieldId: 7 }],
  ])('%s', async (text, expected) => {
    expect(await found(false, text)).toEqual(expected);
  });

  test.each([
    '2024-01-10 10:00',
    '24-01-10',
    '2024-01',
    '2024-01-10T10:00',
    'today',
    '2024/01/10',
    ' 2024-01-10',
  ])('is not compared to %s', async (text) => {
    await expect(found(false, `due = "${text}"`)).rejects.toThrow(
      `The date field 'due' cannot be compared to the string value '${text}'.`,
    );
  });
});

describe('a date with time', () => {
  test.each([
    ['due = "2024-01-10"', until('2024-01-10T00:00+01:00', '2024-01-11T00:00+01:00')],
    ['due = "2024-01-10 9:05"', until('2024-01-10T09:05+01:00', '2024-01-10T09:06+01:00')],
    ['due = "2024-01-10 25:61"', until('2024-01-11T02:01+01:00', '2024-01-11T02:02+01:00')],
    ['due > "2024-01-10 09:05"', measured({ from: instant('2024-01-10T09:06+01:00') })],
    ['due >= "2024-01-10 09:05"', measured({ from: instant('2024-01-10T09:05+01:00') })],
    ['due < "2024-01-10 09:05"', measured({ to: instant('2024-01-10T09:05+01:00'), isToOpen: true })],
    ['due <= "2024-01-10 09:05"', measured({ to: instant('2024-01-10T09:06+01:00'), isToOpen: true })],
    ['due = "2024-03-31"', until('2024-03-31T00:00+01:00', '2024-04-01T00:00+02:00')],
    ['due = "2024-10-27"', until('2024-10-27T00:00+02:00', '2024-10-28T00:00+01:00')],
    ['due = NOW()', until('2024-01-31T22:30+01:00', '2024-01-31T22:31+01:00')],
    ['due = NOW() + 2m', until('2024-03-31T22:30+02:00', '2024-03-31T22:31+02:00')],
  ])('%s', async (text, expected) => {
    expect(await found(true, text)).toEqual(expected);
  });

  test('is compared to now in both of the hours that bear one name when summer time ends', async () => {
    for (const offset of ['+02:00', '+01:00']) {
      const half = (end: string) => instant(`2024-10-27T02:${end}${offset}`);
      const at = `2024-10-27T02:30:45${offset}`;
      expect(await found(true, 'due < NOW()', at)).toEqual(measured({ to: half('30'), isToOpen: true }));
      expect(await found(true, 'due > NOW()', at)).toEqual(measured({ from: half('31') }));
    }
  });

  test('is not compared to what is no date, nor to one that is too far away', async () => {
    for (const text of ['2024-01-10 10:0', '2024-01-10 10:00:00', '2024-01-10  10:00', '2024-01-10 10:00Z'])
      await expect(found(true, `due = "${text}"`)).rejects.toThrow(/cannot be compared to the string/);
    await expect(found(true, 'due = NOW() + 99999999999999999999y')).rejects.toThrow(/so far away/);
    await expect(found(true, 'due = 2024')).rejects.toThrow(
      "The date field 'due' cannot be compared to the number 2024.",
    );
  });
});

describe('a criterion on dates', () => {
  const wanted = async (
    withTime: boolean,
    operator: 'contains' | '=' | '<' | '>' | 'between',
    value: unknown,
  ) => {
    const searched = field(withTime);
    const context = { now: instant(now) } as never;
    return searched.type.search?.criterion(searched, { operator, value }, context);
  };

  test.each([
    ['=', '2024-01-10', days('2024-01-10', '2024-01-10')],
    ['contains', ['2024-01-10'], days('2024-01-10', '2024-01-10')],
    ['<', '2024-01-10', days(undefined, '2024-01-09')],
    ['>', '2024-01-10', days('2024-01-11')],
    ['between', ['2024-01-10', '2024-01-12'], days('2024-01-10', '2024-01-12')],
    ['=', '2024-03-31', days('2024-03-31', '2024-03-31')],
    ['=', '2024-01-10T05:00:00+01:00', days('2024-01-11', '2024-01-11')],
  ] as const)('%s %j on days', async (operator, value, expected) => {
    expect(await wanted(false, operator, value)).toEqual(expected);
  });

  test.each([
    ['=', '2024-01-10', until('2024-01-10T00:00+01:00', '2024-01-11T00:00+01:00')],
    ['=', '2024-01-10T05:00:00-05:00', until('2024-01-10T10:00Z', '2024-01-11T10:00Z')],
    ['=', '2024-01-10T05:00:00-05', until('2024-01-10T10:00Z', '2024-01-11T10:00Z')],
    ['>', '2024-01-10', measured({ from: instant('2024-01-11T00:00+01:00') })],
    ['between', ['2024-01-10', '2024-01-12T00:00:00Z'], until('2024-01-10T00:00+01:00', '2024-01-13T00:00Z')],
  ] as const)('%s %j on moments', async (operator, value, expected) => {
    expect(await wanted(true, operator, value)).toEqual(expected);
  });

  test('is ignored where it names no date', async () => {
    for (const value of ['', 'soon', '2024-02-31', 5, true, {}, [], ['2024-01-10', '2024-01-11']])
      expect(await wanted(true, '=', value)).toBeUndefined();
    for (const value of [
      '2024-01-10',
      ['2024-01-10'],
      ['2024-01-10', 'x'],
      ['2024-01-10', '2024-01-11', '2024-01-12'],
    ])
      expect(await wanted(true, 'between', value)).toBeUndefined();
  });
});
