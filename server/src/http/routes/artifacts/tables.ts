import * as contract from '@atelier/contract';
import {
  type CsvImportDeps,
  importTable,
  type RowSearch,
  type TableImportOutcome,
} from '../../../artifacts/index.ts';
import { invalidMember } from '../../../kernel/errors.ts';
import { keyOfPart, requestKeyOf } from '../../pipeline/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { batchDeps, stoppedAfter } from './batch.ts';
import { namesIn, searchIn } from './rows.ts';
import { exportAnswer, separators, tableCells } from './table-exports.ts';

function presentImport(outcome: TableImportOutcome, isDryRun: boolean): contract.ArtifactsImport {
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

/** What is to be exported. Criteria in the body count where the query string has none. */
function exported(query: contract.QueryOf<typeof contract.exportArtifacts>, body: unknown): RowSearch {
  return searchIn(query.query === undefined ? { ...query, query: body } : query);
}

/** Ids that one export names at the most. */
const mostIds = 1000;

function idsIn(input: readonly string[] | undefined): ReadonlySet<number> | undefined {
  if (input === undefined) return undefined;
  const ids = namesIn(input).map((text) => {
    if (!/^\d{1,15}$/.test(text))
      throw invalidMember('ids', `${JSON.stringify(text)} is not the id of an artifact.`);
    return Number(text);
  });
  if (ids.length > mostIds) throw invalidMember('ids', `It takes at most ${mostIds} ids.`);
  return new Set(ids);
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
      const search = exported(query, body);
      const view = await trackers.require(database, viewer, params.id, await database.revisions());
      return exportAnswer(services, { viewer, room }, view, {
        search,
        sort: namesIn(query.sort),
        format: query.format ?? 'csv',
        columns: namesIn(query.columns),
        ids: idsIn(query.ids),
        separator: separators[query.separator ?? 'comma'],
        withBom: query.bom ?? false,
      });
    }),
    bind(contract.importArtifacts, async ({ viewer, params, body, headers }) => {
      const isDryRun = body.dry_run ?? false;
      const requestKey = requestKeyOf(headers, 'POST import', params.id, body);
      const outcome = await importTable(tools, viewer, {
        trackerId: params.id,
        csv: body.csv,
        separator: body.separator === undefined ? undefined : separators[body.separator],
        textFormat: body.text_format,
        dateOrder: body.date_order,
        isDryRun,
        requestKey,
        keyOfRow: (row) => keyOfPart(requestKey, row),
      });
      const told = presentImport(outcome, isDryRun);
      if (outcome.isCut) throw stoppedAfter(told.results, outcome.rowCount);
      return { body: told };
    }),
  ];
}
