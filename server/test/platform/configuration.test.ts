import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/kernel/config.ts';

const mebibyte = 1024 * 1024;

/** The rows of the page: each variable with what it says is the default. */
function documented(): Map<string, string> {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const table = /^## Configuration\n.*?(?=^## )/ms.exec(page)?.[0] ?? '';
  return new Map(
    table
      .split('\n')
      .filter((line) => line.startsWith('| `ATELIER_'))
      .flatMap((line) => {
        const [names = '', defaults = ''] = line.split('|').slice(1);
        const values = defaults.split(',');
        return [...names.matchAll(/`(\w+)`/g)].map(([, name = ''], index): [string, string] => [
          name,
          (values[index] ?? defaults).trim(),
        ]);
      }),
  );
}

describe('the settings of the environment', () => {
  const source = readFileSync(new URL('../../src/kernel/config.ts', import.meta.url), 'utf8');
  const known = new Set([...source.matchAll(/'(ATELIER_\w+)'/g)].map(([, name = '']) => name));

  test('are all on their page, and nothing else is', () => {
    expect([...documented().keys()].sort()).toEqual([...known].sort());
  });

  test('have the numbers for defaults that the page tells', () => {
    const numbers = [...documented()].flatMap(([name, words]) => {
      const [, number] = /^`(\d+)`(?: \(KiB\))?$/.exec(words) ?? [];
      return number === undefined ? [] : [{ name, number }];
    });
    const plain = JSON.stringify(readConfig({}));
    const told = numbers.filter(
      ({ name, number }) => JSON.stringify(readConfig({ [name]: number })) !== plain,
    );
    expect([numbers.length > 25, told]).toEqual([true, []]);
  });

  test('take an IPv6 address in the brackets that it has in addresses', () => {
    expect(['[::1]', '::', 'localhost'].map((host) => readConfig({ ATELIER_HOST: host }).host)).toEqual([
      '::1',
      '::',
      'localhost',
    ]);
  });

  const memoryWith = (environment: Record<string, string>): Config['bodyMemory'] =>
    readConfig(environment).bodyMemory;

  test('let all callers of a thread together have at least what one of them may', () => {
    const caller = String(100 * mebibyte);
    expect(memoryWith({})).toEqual({ thread: 64 * mebibyte, caller: 32 * mebibyte });
    expect(memoryWith({ ATELIER_BODY_MEMORY_PER_CALLER: caller }).thread).toBe(100 * mebibyte);
    expect(memoryWith({ ATELIER_BODY_LIMIT: caller })).toEqual({
      thread: 400 * mebibyte,
      caller: 200 * mebibyte,
    });
    expect(() =>
      memoryWith({ ATELIER_BODY_MEMORY_PER_CALLER: caller, ATELIER_BODY_MEMORY: String(70 * mebibyte) }),
    ).toThrow(`ATELIER_BODY_MEMORY must be a whole number from ${caller} to`);
  });

  test.each([
    ['ATELIER_DATABASE_URL', 'postgres://a:b@host/c?port=abc', 'as its port, not "abc"'],
    ['ATELIER_DATABASE_URL', 'postgres:///c?host=/run&port=99999', 'as its port, not "99999"'],
    ['ATELIER_DATABASE_URL', 'postgres://a:se/cret@host/c', 'cannot be read as an address. A port'],
    ['ATELIER_SMTP_URL', 'smtp://host:99999', 'cannot be read as an address. A port'],
    ['ATELIER_DATABASE_URL', 'mysql://host/c', 'must be an address that starts with postgres://'],
  ])('tell what is wrong with an address, and no password: %s=%s', (name, address, words) => {
    expect(() => readConfig({ [name]: address })).toThrow(
      expect.objectContaining({ faults: [expect.stringMatching(new RegExp(`^${name} (?!.*cret)`))] }),
    );
    expect(() => readConfig({ [name]: address })).toThrow(words);
  });
});
