import type { Making, Outcome } from '../bench.ts';
import type { EngineName } from '../databases/home.ts';
import type { FileRow } from '../files/measure-files.ts';
import type { ImportFigures } from '../imports/import.ts';
import type { Measurement } from '../measure.ts';
import type { MemoryUse } from '../memory.ts';
import type { Target } from '../scenario.ts';
import { ratioTo } from './compare.ts';

/** Artifacts that a dataset must get in a second. */
const leastMaking = 20_000;
/** Below so many, making is over before Node knows the code. */
const tellingSize = 100_000;
const mostMemoryMb = 300;
const mostFileMemoryMb = 60;
/** Of an import: what the importing process may hold, and what the writes of others may take. */
const mostImportMemoryMb = 400;
const mostWriteMs = 50;

/** A line for each measured target, reached or missed. A share is promised where its floor is measured: each engine has its own. */
export function verdicts(outcome: Outcome): string[] {
  const { engine, scenarios, rows, makings, memory, files, imports } = outcome;
  const ofScenarios = scenarios.flatMap(({ name, targets = [] }) => {
    const row = productRow(name, rows);
    const promised = targets.filter((target) => isPromisedOn(engine, target));
    return row === undefined ? [] : promised.flatMap((target) => ofTarget(target, row, rows) ?? []);
  });
  const ofMakings = makings.filter(({ artifacts }) => artifacts >= tellingSize);
  return [
    ...ofScenarios,
    ...ofMakings.map((making) => ofMaking(making, engine === 'SQLite')),
    ...memory.flatMap(ofMemory),
    ...files.flatMap(ofFile),
    ...imports.flatMap(ofImport),
  ];
}

function isPromisedOn(engine: EngineName, target: Target): boolean {
  return target.kind !== 'latency' || target.on === undefined || target.on === engine;
}

function productRow(scenario: string, rows: Measurement[]): Measurement | undefined {
  return rows.find((row) => row.server === 'atelier' && row.scenario === scenario && row.threads === 'one');
}

function ofTarget(target: Target, row: Measurement, rows: Measurement[]): string | undefined {
  switch (target.kind) {
    case 'share':
      return ofShare(target, row, rows);
    case 'flat':
      return ofFlatness(target, row, rows);
    case 'latency': {
      const measured = row[target.figure];
      const promise = `${row.scenario} at most ${target.most} ms (${target.figure.slice(0, 3)})`;
      return verdict(measured <= target.most, promise, `${measured.toFixed(1)} ms`);
    }
  }
}

function ofShare({ of, least }: Extract<Target, { kind: 'share' }>, row: Measurement, rows: Measurement[]) {
  const ratio = ratioTo(of, row, rows);
  if (ratio === undefined) return undefined;
  return verdict(ratio >= least, `${row.scenario} at least ${least} of ${of}`, ratio.toFixed(2));
}

function ofFlatness({ as, least }: Extract<Target, { kind: 'flat' }>, row: Measurement, rows: Measurement[]) {
  const other = productRow(as, rows);
  if (other === undefined) return undefined;
  const ratio = row.requestsPerSecond / other.requestsPerSecond;
  return verdict(ratio >= least, `${row.scenario} at least ${least} of ${as}`, ratio.toFixed(2));
}

function ofMaking({ artifacts, seconds }: Making, isPromised: boolean): string {
  const rate = Math.round(artifacts / seconds);
  const what = `a dataset of ${artifacts} artifacts`;
  if (!isPromised) return `${what}: ${rate} artifacts a second`;
  return verdict(rate >= leastMaking, `${what} at least ${leastMaking} artifacts a second`, String(rate));
}

function ofMemory({ threads, rssAnonMb }: MemoryUse): string[] {
  if (rssAnonMb === undefined) return [];
  const promise = `after all scenarios, HTTP threads: ${threads}, less than ${mostMemoryMb} MB RssAnon`;
  return [verdict(rssAnonMb < mostMemoryMb, promise, `${Math.round(rssAnonMb)} MB`)];
}

/** However large a file is, it goes through the process in small parts. */
function ofFile({ scenario, memory }: FileRow): string[] {
  if (memory?.beforeMb === undefined || memory.peakMb === undefined) return [];
  const more = memory.peakMb - memory.beforeMb;
  const promise = `${scenario} with at most ${mostFileMemoryMb} MB RssAnon more than before`;
  return [verdict(more <= mostFileMemoryMb, promise, `${Math.round(more)} MB`)];
}

function verdict(isReached: boolean, promise: string, measured: string): string {
  return `Target ${isReached ? 'reached' : 'MISSED'}: ${promise}; measured ${measured}`;
}

function ofImport({
  artifacts,
  seconds,
  rssAnonMb,
  writes,
  writeP99Ms,
  quietP99Ms,
}: ImportFigures): string[] {
  const rate = `${Math.round(artifacts / seconds)} artifacts/s`;
  return [
    `import: ${artifacts} artifacts of five changesets in ${seconds.toFixed(1)} s, ${rate}`,
    ...(rssAnonMb === undefined
      ? []
      : [
          verdict(
            rssAnonMb <= mostImportMemoryMb,
            `import in at most ${mostImportMemoryMb} MB`,
            `${rssAnonMb.toFixed(0)} MB`,
          ),
        ]),
    verdict(
      writeP99Ms <= mostWriteMs,
      `writes beside an import at most ${mostWriteMs} ms (p99)`,
      `${writeP99Ms.toFixed(1)} ms over ${writes} writes, ${quietP99Ms.toFixed(1)} ms before it`,
    ),
  ];
}
