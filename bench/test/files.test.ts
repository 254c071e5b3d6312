import { randomBytes } from 'node:crypto';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileRow } from '../src/files/measure-files.ts';
import { watchMemory } from '../src/files/memory-watch.ts';
import { startBareServer } from '../src/files/start-bare-server.ts';
import { runTransfer } from '../src/files/transfer.ts';
import { renderFileTable } from '../src/report/file-table.ts';
import { verdicts } from '../src/report/verdicts.ts';
import { wantedFileScenarios } from '../src/scenarios/index.ts';

const rows: FileRow[] = [
  { scenario: 'file-upload', server: 'copy', bytes: 1_000_000_000, seconds: 2 },
  {
    scenario: 'file-upload',
    server: 'atelier',
    bytes: 1_000_000_000,
    seconds: 4,
    memory: { beforeMb: 100, peakMb: 150, afterMb: 120 },
  },
];

describe('files', () => {
  it('are copied, and downloaded many times at once', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'atelier-files-'));
    const [from, to] = [join(folder.path, 'from'), join(folder.path, 'to')];
    writeFileSync(from, randomBytes(3_000_000));
    expect((await runTransfer({ kind: 'copy', from, to })).bytes).toBe(3_000_000);
    expect(readFileSync(to).equals(readFileSync(from))).toBe(true);
    await using server = await startBareServer([from]);
    const url = `http://127.0.0.1:${server.port}/0`;
    const { bytes } = await runTransfer({ kind: 'download', from: url, accessKey: '', copies: 4 });
    expect(bytes).toBe(12_000_000);
  });

  it('have rates beside that of a copy, and the memory they took', () => {
    const [, , atelier = ''] = renderFileTable(rows).split('\n');
    expect(atelier.split(/\s+/)).toEqual([
      'file-upload',
      'atelier',
      '1000',
      '4.00',
      '250',
      '0.50',
      '–',
      '100',
      '150',
      '120',
    ]);
  });

  it.each([
    [160, 'Target reached'],
    [161, 'Target MISSED'],
  ])('may take 60 MB more than before: %i', (peakMb, words) => {
    const memory = { beforeMb: 100, peakMb, afterMb: 100 };
    const files = rows.map((row) => ({ ...row, memory }));
    const outcome = {
      engine: 'SQLite' as const,
      scenarios: [],
      rows: [],
      makings: [],
      memory: [],
      imports: [],
    };
    expect(verdicts({ ...outcome, files })[0]).toContain(words);
  });

  it('are left out when nobody asks for them', () => {
    expect(wantedFileScenarios({ only: 'project' })).toEqual([]);
    expect(wantedFileScenarios({ only: 'file-download' })).toEqual(['file-download', 'file-downloads']);
    expect(wantedFileScenarios({ only: undefined })).toHaveLength(3);
  });
});

it('memory is watched for its peak', async () => {
  const { result, memory } = await watchMemory(process.pid, async () => 'done');
  expect(result).toBe('done');
  if (process.platform === 'linux') expect(memory.peakMb).toBeGreaterThanOrEqual(memory.beforeMb ?? 0);
});
