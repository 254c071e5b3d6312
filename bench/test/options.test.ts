import { describe, expect, it } from 'vitest';
import { readMixedOptions } from '../src/mixed/options.ts';
import { readDatasetOptions, readOptions } from '../src/options.ts';
import { wantedFamilies } from '../src/scenarios/index.ts';

const namesFor = (args: string[]) =>
  wantedFamilies(readOptions(args)).flatMap((family) => family.scenarioNames);

describe('options', () => {
  it('take sizes in any order', () => {
    expect(readOptions(['--artifacts', '5000,100,5000']).artifacts).toEqual([100, 5000]);
  });

  it('mean PostgreSQL when they name a server', () => {
    expect(readOptions([]).engines).toEqual(['SQLite']);
    expect(readOptions(['--database-url', 'postgres://localhost/x']).engines).toEqual(['PostgreSQL']);
    expect(readOptions(['--engine', 'both']).engines).toEqual(['SQLite', 'PostgreSQL']);
  });

  it.each([
    [['--seconds', '0'], '--seconds must be a number above 0'],
    [['--rounds', '1.5'], '--rounds must be a whole number'],
    [['--artifacts', '10,many'], '--artifacts must be a number above 0, not "many"'],
    [['--engine', 'oracle'], '--engine must be one of sqlite, postgresql, postgres, both'],
  ])('%j are refused in words', (args, words) => {
    expect(() => readOptions(args)).toThrow(words);
  });

  it('of a dataset need a place for it', () => {
    expect(() => readDatasetOptions(['--artifacts', '10'])).toThrow('--out');
  });
});

describe('scenarios', () => {
  it('all run on the largest dataset, reading on every one', () => {
    const names = namesFor(['--artifacts', '10000,2000000,1500', '--only', 'artifact']);
    expect(names).toEqual(
      expect.arrayContaining(['artifact-read-1500', 'artifact-read-10k', 'artifact-read-2m']),
    );
    expect(names.filter((name) => name === 'artifact-create')).toHaveLength(1);
  });

  it('are left out with their data when nobody asks for them', () => {
    const [only, ...others] = wantedFamilies(readOptions(['--only', 'artifact-create']));
    expect(others).toEqual([]);
    expect(only?.artifacts).toBe(1_000_000);
    expect(namesFor(['--only', 'project'])).toEqual(['project-read', 'project-list']);
  });

  it('that nobody knows are refused with the names of those there are', () => {
    expect(() => namesFor(['--only', 'nothing'])).toThrow('project-read');
  });
});

describe('options of the mixed load', () => {
  it('are ten minutes on both engines, unless said otherwise', () => {
    expect(readMixedOptions([])).toMatchObject({ minutes: 10, engines: ['SQLite', 'PostgreSQL'] });
    expect(readMixedOptions(['--minutes', '2', '--engine', 'sqlite'])).toMatchObject({
      minutes: 2,
      engines: ['SQLite'],
    });
  });

  it('are refused in words', () => {
    expect(() => readMixedOptions(['--minutes', 'many'])).toThrow('--minutes must be a whole number above 0');
  });
});
