import { expect } from 'vitest';
import type { Atelier, CommandResult } from '../harness/atelier.ts';

/** One line for a person, and nothing for a program. */
export function expectRefusal(
  { code, stdout, stderr }: CommandResult,
  words: RegExp | string,
  expectedCode = 1,
): void {
  expect({ code, stdout }).toEqual({ code: expectedCode, stdout: '' });
  expect(stderr).toMatch(/^atelier: [^\n]+\n$/);
  expect(stderr).toMatch(words);
}

function expectSuccess({ code, stdout, stderr }: CommandResult): string {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** What commands answer that must succeed: in JSON, and in words. */
export function repliesOf(atelier: () => Atelier) {
  return {
    json: async (...args: string[]) => JSON.parse(expectSuccess(await atelier().cli(...args, '--json'))),
    said: async (...args: string[]) => expectSuccess(await atelier().cli(...args)),
  };
}
