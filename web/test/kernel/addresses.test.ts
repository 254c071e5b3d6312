import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  artifactIdIn,
  idOfUri,
  pageOf,
  pathWithin,
  readSearch,
  safeReturn,
  writeSearch,
} from '../../src/kernel/addresses.ts';
import { isTyped, matchKeys, writtenKey } from '../../src/kernel/keys.ts';
import { shortNameOf } from '../../src/kernel/short-name.ts';
import { readSshKey, wrongLineIn } from '../../src/kernel/ssh-key.ts';
import { readUserAgent } from '../../src/kernel/user-agent.ts';

/** What people type, with all that means something in an address. */
const typed = fc.string({ minLength: 1, unit: fc.constantFrom(...'aé &=+%#:,;@/?\n"\\💡0') });

const pressed = { key: 'k', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('the state of a view in its address', () => {
  test('is read as it was written, whatever was typed', () => {
    const parameters = fc.dictionary(fc.string({ minLength: 1 }), typed);
    fc.assert(
      fc.property(parameters, (given) => {
        expect({ ...readSearch(writeSearch(given)) }).toEqual({ ...given });
      }),
    );
  });

  test('short forms of filters stay readable', () => {
    expect(writeSearch({ f: 'status:101,102;assigned_to:me', q: 'two words', open: '' })).toBe(
      'f=status:101,102;assigned_to:me&q=two+words',
    );
  });
});

describe('where a sign-in leads', () => {
  test.each([
    ['/artifacts/42', '/artifacts/42'],
    ['/artifacts/42?tab=1#change-99', '/artifacts/42?tab=1#change-99'],
    ['https://example.org', '/'],
    ['//example.org', '/'],
    ['/\\example.org', '/'],
    ['/x/..//example.org', '/'],
    ['javascript:alert(1)', '/'],
    ['/login?return_to=/login', '/'],
    [undefined, '/'],
  ])('%s: %s', (given, expected) => expect(safeReturn(given)).toBe(expected));

  test('is always a path of this server', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((rest) => `/${rest}`),
          fc.webUrl(),
        ),
        (given) => {
          const url = new URL(safeReturn(given), 'https://atelier.example');
          expect(url.origin).toBe('https://atelier.example');
        },
      ),
    );
  });
});

test('addresses of this server lead inside, others stay what they are', () => {
  expect(pathWithin('http://a.example', 'http://a.example/artifacts/1?x=1#y')).toBe('/artifacts/1?x=1#y');
  expect(pathWithin('http://a.example', '/artifacts/1')).toBe('/artifacts/1');
  expect(pathWithin('http://a.example', 'http://b.example/artifacts/1')).toBeUndefined();
});

test('addresses that the API hands out lead to the pages of the application', () => {
  const here = 'http://a.example';
  expect(pageOf(here, '/plugins/tracker/?aid=42#followup_99')).toBe('/artifacts/42#change-99');
  expect(pageOf(here, `${here}/plugins/tracker/?tracker=12&report=5`)).toBe('/trackers/12?report=5');
  expect(pageOf(here, '/projects/lighthouse')).toBe('/projects/lighthouse');
  expect(pageOf(here, 'http://b.example/plugins/tracker/?aid=1')).toBe(
    'http://b.example/plugins/tracker/?aid=1',
  );
});

test('somebody who types a number means the artifact of that id', () => {
  expect(['42', '#42', 'bug #42', ' 42 ', 'bug 42'].map(artifactIdIn)).toEqual([42, 42, 42, 42, 42]);
  expect(['', '#', '0', 'basket', '4 2 x', '#42 and more'].map(artifactIdIn)).toEqual(
    Array(6).fill(undefined),
  );
  expect(idOfUri('artifacts/42')).toBe(42);
});

describe('keys', () => {
  test('are named as commands name them', () => {
    expect(writtenKey({ ...pressed, ctrlKey: true }, false)).toBe('mod+k');
    expect(writtenKey({ ...pressed, metaKey: true }, true)).toBe('mod+k');
    expect(writtenKey({ ...pressed, key: 'C', shiftKey: true }, false)).toBe('shift+c');
    expect(writtenKey({ ...pressed, key: '?', shiftKey: true }, false)).toBe('?');
    expect(['c', 'shift+c', '?', 'g'].every(isTyped)).toBe(true);
    expect(['mod+k', 'alt+x', 'escape', 'f2'].some(isTyped)).toBe(false);
  });

  test('one after the other make a sequence; what leads nowhere is forgotten', () => {
    const known = ['g h', 'g p', 'c', 'mod+k'];
    expect(matchKeys('', 'g', known)).toEqual({ kind: 'begun', keys: 'g' });
    expect(matchKeys('g', 'h', known)).toEqual({ kind: 'matched', keys: 'g h' });
    expect(matchKeys('g', 'c', known)).toEqual({ kind: 'matched', keys: 'c' });
    expect(matchKeys('g', 'x', known)).toEqual({ kind: 'none' });
  });
});

test('a short name is made from any name, and is one', () => {
  expect(['Web Shop', 'Été à la plage', '42 Ways', '💡 Lighthouse'].map(shortNameOf)).toEqual([
    'web-shop',
    'ete-a-la-plage',
    'ways',
    'lighthouse',
  ]);
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(shortNameOf(name)).toMatch(/^([a-z]([a-z0-9-]{0,28}[a-z0-9])?)?$/);
    }),
  );
});

test('public SSH keys are told from other lines', () => {
  const key =
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGDJLgmmx7vfxaXWowODoll/ikb2/pUkArzN/QO6YywO ada@lighthouse';
  expect(readSshKey(key)).toMatchObject({ type: 'ssh-ed25519', name: 'ada@lighthouse' });
  expect(wrongLineIn(`${key}\n\n${key}`)).toBeUndefined();
  expect(wrongLineIn(`${key}\n-----BEGIN OPENSSH PRIVATE KEY-----`)).toBe(2);
});

test('a browser and its system are named as people know them', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
  expect(readUserAgent(chrome)).toEqual({ browser: 'Chrome', system: 'Linux' });
  expect(readUserAgent(`${chrome} Edg/153.0`)).toEqual({ browser: 'Edge', system: 'Linux' });
  expect(
    readUserAgent(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/1 Safari/604.1',
    ),
  ).toEqual({
    browser: 'Safari',
    system: 'iPhone',
  });
  expect(readUserAgent('')).toEqual({ browser: undefined, system: undefined });
});
