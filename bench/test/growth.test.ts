import { describe, expect, it } from 'vitest';
import { documentOf } from '../src/growth/document.ts';
import type { SizeFigures } from '../src/growth/growth.ts';
import { readGrowthOptions } from '../src/growth/options.ts';

const machine = { node: 'v1', platform: 'linux x', cores: 2, cpu: 'one', memoryMb: 1000 };
const sized = (artifacts: number, read: number, word: number): SizeFigures => ({
  engine: 'SQLite',
  artifacts,
  costs: [
    { scenario: 'artifact-read', p50Ms: read, p99Ms: read, cpuMicros: 1 },
    { scenario: 'search-any-part', p50Ms: word, p99Ms: word, cpuMicros: 1 },
  ],
  startSeconds: 1.25,
  memoryMb: 200,
  bytes: artifacts * 2000,
});

describe('growth', () => {
  it('is told in units of the read of one artifact in the smallest tracker', () => {
    const { text } = documentOf([sized(10_000, 0.5, 2), sized(1_000_000, 0.5, 40)], machine);
    expect(text).toContain('| | 10 000 | 1 000 000 | grows |');
    expect(text).toContain('| read an artifact | 1.0 | 1.0 | 1.0× |');
    expect(text).toContain('| search: any part of a title | 4.0 | 80 | 20× |');
    expect(text).toContain('| database and files on the disk | 20 MB | 2 000 MB |');
    expect(text).toContain('0.50 ms on the machine below');
  });

  it('leaves out what nobody measured, and draws a line for what was', () => {
    const { text, pictures } = documentOf([sized(10_000, 0.5, 2), sized(100_000, 0.5, 3)], machine);
    expect(text).not.toContain('create one');
    expect([...pictures.keys()]).toEqual(['growth-sqlite.svg']);
    expect(pictures.get('growth-sqlite.svg')?.match(/<polyline/g)).toHaveLength(2);
  });

  it('is of both engines and three sizes, unless said otherwise', () => {
    expect(readGrowthOptions([])).toMatchObject({
      artifacts: [10_000, 100_000, 1_000_000],
      engines: ['SQLite', 'PostgreSQL'],
    });
    expect(() => readGrowthOptions(['--artifacts', 'few'])).toThrow('--artifacts must be a number above 0');
  });
});
