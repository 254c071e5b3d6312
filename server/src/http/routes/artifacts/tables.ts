import * as contract from '@atelier/contract';
import { type CsvImportDeps, type ImportOutcome, importTable } from '../../../artifacts/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import { exportAnswer, separators, tableCells } from '../../bytes/table-exports.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { batchDeps, stoppedAfter } from './batch.ts';
import { selectionOf } from './of-trackers.ts';

function presentImport(outcome: ImportOutcome, isDryRun: boolean): contract.ArtifactsImport {
  return {
    dry_run: isDryRun,
    rows: outcome.rowCount,
    ignored_columns: [...outcome.ignoredColumns],
    fault_count: outcome.faultCount,
    faults: [...outcome.faults],
    results: outcome.results.map(({ row, artifactId, outcome: result, changesetId, refusal }) => ({
      row,
      id: artifactId,
      uri: artifactId === null ? null : `artifacts/${artifactId}`,
      outcome: result,
      changeset_id: changesetId,
      error: refusal,
    })),
  };
}

/** Names of columns, given several times or with commas between them. */
const namesIn = (given: readonly string[] = []) =>
  given.flatMap((names) => names.split(',').map((name) => name.trim())).filter((name) => name !== '');

/** What is to be exported: a report or a search. */
function exported(query: contract.QueryOf<typeof contract.exportArtifacts>, body: unknown) {
  const selection = selectionOf(query, body);
  if (query.report_id === undefined) return selection ?? { criteria: null };
  if (selection !== undefined)
    throw invalid('Only one of `report_id`, `query` and `expert_query` can be given.');
  return { reportId: query.report_id };
}

export function artifactTableBindings(services: Services): RouteBinding[] {
  const { database, trackers } = services;
  const tools: CsvImportDeps = {
    ...batchDeps(services),
    database,
    trackers,
    cellsOf: (readContext, artifacts, columns) => tableCells(services, readContext, artifacts, columns),
  };
  return [
    bind(contract.exportArtifacts, async ({ viewer, room, params, query, body }) => {
      const selection = exported(query, body);
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      return exportAnswer(services, { viewer, room }, view, {
        selection,
        format: query.format ?? 'csv',
        columns: namesIn(query.columns),
        separator: separators[query.separator ?? 'comma'],
        withBom: query.bom ?? false,
      });
    }),
    bind(contract.importArtifacts, async ({ viewer, params, body }) => {
      const isDryRun = body.dry_run ?? false;
      const outcome = await importTable(tools, viewer, {
        trackerId: params.id,
        csv: body.csv,
        separator: body.separator === undefined ? undefined : separators[body.separator],
        textFormat: body.text_format,
        isDryRun,
      });
      const told = presentImport(outcome, isDryRun);
      if (outcome.isCut) throw stoppedAfter(told.results, outcome.rowCount);
      return { body: told };
    }),
  ];
}
