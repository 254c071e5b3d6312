import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce, Slices } from '../../src/http/limits/slices.ts';
import { jsonInSteps } from '../../src/http/pipeline/json-steps.ts';
import { anySign } from '../fixtures/text.ts';

const inSteps = (text: string) => atOnce(jsonInSteps(text));

function outcome(read: (text: string) => unknown, text: string): unknown {
  try {
    return { value: read(text) };
  } catch {
    return 'refused';
  }
}

/**
 * JSON.parse of Node 26 takes the name `"\\""` for a backslash when it has read an object with that name before. A realm of its
 * own has read nothing before.
 */
const parse = (text: string): unknown =>
  text.includes('\\') ? runInNewContext('JSON.parse(text)', { text }) : JSON.parse(text);

/** Both ways understand a text in the same way, or both refuse it. */
const expectSame = (text: string) => expect(outcome(inSteps, text)).toEqual(outcome(parse, text));

// No name ends with a backslash: JSON.parse of V8 14.6 then takes another that ends with a quotation mark for the same one.
const texts = fc.oneof(
  fc.string({ unit: anySign }),
  fc.constantFrom('__proto__', 'toString', '', 'back\\slash', '"'),
);
const json = fc.oneof(
  fc.jsonValue({ stringUnit: anySign }),
  fc.dictionary(texts, fc.jsonValue()),
  fc.array(fc.double().map((number) => (Number.isFinite(number) ? number : 0))),
);

test('JSON that is read in steps is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      expectSame(JSON.stringify(value, undefined, space));
    }),
  );
});

test('JSON with anything wrong in it is refused by both', () => {
  const broken = fc.tuple(
    json,
    fc.nat(),
    fc.constantFrom('', ',', ':', '"', '{', '}', '[', ']', '\\', '0', 'e', '-', '\n', 'x', '\u0000'),
  );
  fc.assert(
    fc.property(broken, ([value, at, mark]) => {
      const text = JSON.stringify(value);
      const place = at % (text.length + 1);
      expectSame(text.slice(0, place) + mark + text.slice(place));
      expectSame(text.slice(0, place) + mark + text.slice(place + 1));
      expectSame(text.slice(0, place) + mark);
    }),
    { numRuns: 500 },
  );
});

test.each([
  '',
  ' ',
  '01',
  '1.',
  '.5',
  '+1',
  '-',
  '1e',
  '1e5',
  '-0',
  'nul',
  'nulll',
  'NaN',
  '"\t"',
  '"\\x"',
  '"\\u12"',
  '"\\',
  '"',
  '[1,]',
  '[,1]',
  '{"a":1,}',
  '{"a"}',
  '{"a":}',
  '{a:1}',
  '[1 2]',
  '{"a":1 "b":2}',
  '[]]',
  '{}{}',
  '[}',
  '{]',
  ']',
  '}',
  ',',
  ':',
  '"a":1',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '"\\ud83d\\ude00"',
  '"\\ud83d"',
  '\ufeff1',
  '[[[]]]',
  ' [ 1 , { "a" : [ ] } ] ',
  '1e999',
  '{"1":2,"0":1}',
])('%j', (text) => expectSame(text));

test.each([32 * 1024, 64 * 1024])(
  'a text that a step of %i characters ends in the middle of is whole',
  (length) => {
    for (const piece of ['x', '\\n', '\\u00e9', '\\ud83d\\ude00', '😀', '\\"', '\\\\'])
      for (let before = length - 14; before < length + 2; before++)
        expectSame(`["${'y'.repeat(before)}${piece.repeat(9)}",${' '.repeat(20)}{"a":"${piece}"}]`);
  },
);

test('a value that is long, deep or has many parts is read or refused', () => {
  expectSame(`{"a":"${'\\n'.repeat(300_000)}"}`);
  expectSame(JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at]))));
  const refused = (text: string) => () => inSteps(text);
  expect(refused(`${'['.repeat(101)}${']'.repeat(101)}`)).toThrow('nested more than 100 deep');
  expect(refused(`[${'1,'.repeat(100_001)}1]`)).toThrow('more than 100000 values');
  const nested = `${'['.repeat(90)}${']'.repeat(90)},`;
  expect(refused(`[${nested.repeat(2000)}1]`)).toThrow('more than 100000 values');
  expect(refused(`[${'1'.repeat(1000)}]`)).toThrow('Syntax error');
});

test('few long texts are read at a time; the others wait as they came', async () => {
  const slices = new Slices();
  let begun = 0;
  let finished = 0;
  let most = 0;
  function* reading() {
    begun++;
    for (let step = 0; step < 3; step++) {
      most = Math.max(most, begun - finished);
      // Longer than a slice, so that others get their turn.
      for (const end = performance.now() + 5; performance.now() < end; );
      yield;
    }
    return ++finished;
  }
  const all = await Promise.all(Array.from({ length: 10 }, () => slices.do(reading())));
  expect(all.length).toBe(10);
  expect(most).toBe(4);
});
