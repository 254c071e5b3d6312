import Type, { type Static } from '@bundled/typebox';
import { searchParameters } from './artifact-rows.ts';
import { choice, defineRoute, idParams, nullable, untrimmed } from './route.ts';
import { Criteria } from './tracker-artifacts.ts';

const Separator = (words: string) =>
  Type.Optional(choice(['comma', 'semicolon', 'tab'], { description: words }));

export const exportArtifacts = defineRoute({
  method: 'GET',
  path: '/trackers/{id}/artifacts_export',
  kind: 'hybrid',
  own: true,
  summary: 'All artifacts of a search as CSV or as lines of JSON',
  description:
    'The search is the one of GET /trackers/{id}/artifact_rows, without pages: the answer is sent while it is made. A cell ' +
    'that a spreadsheet would take for a formula has an apostrophe before it.',
  example: { params: { id: 5 }, body: { severity: 132 } },
  params: idParams,
  query: Type.Object({
    format: Type.Optional(choice(['csv', 'jsonl'], { description: 'csv unless given' })),
    ...searchParameters,
    columns: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Short names or labels of fields, several times or with commas; also @submitted_on, @submitted_by, @last_update_date, ' +
          '@last_update_by and @rank; all of the form unless given',
      }),
    ),
    sort: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Names as in GET /trackers/{id}/artifact_rows, at most 5; id unless given',
      }),
    ),
    ids: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only these of what the search finds, several times or with commas; at most 1000',
      }),
    ),
    separator: Separator('Between the cells of CSV; comma unless given'),
    bom: Type.Optional(
      Type.Boolean({
        description: 'Begin CSV with a byte order mark, by which some spreadsheets tell UTF-8',
      }),
    ),
  }),
  body: Type.Optional(Criteria),
  bodyYieldsTo: ['query'],
  produces: ['text/csv', 'application/x-ndjson'],
});

const Refused = Type.Object({ code: Type.Integer(), message: Type.String() });

/** What came of one change of many, or what would come of it. */
export const changeResult = {
  changeset_id: nullable(Type.Integer({ description: 'Of a change that was made' })),
  error: nullable(Refused),
};

export const CellFault = Type.Object(
  {
    row: Type.Integer({ description: 'As spreadsheets number it; the header is the first' }),
    column: nullable(
      Type.String({ description: 'As the header names it; null where the whole row is at fault' }),
    ),
    value: nullable(Type.String()),
    reason: Type.String(),
  },
  { $id: 'CellFault' },
);

export const ArtifactsImport = Type.Object(
  {
    dry_run: Type.Boolean(),
    rows: Type.Integer(),
    ignored_columns: Type.Array(Type.String(), {
      description: 'Columns that cannot be imported: files, and what the platform fills itself',
    }),
    fault_count: Type.Integer({ description: 'All faults; the first thousand are listed' }),
    faults: Type.Array(CellFault),
    results: Type.Array(
      Type.Object({
        row: Type.Integer(),
        id: nullable(Type.Integer()),
        uri: nullable(Type.String()),
        outcome: choice(['created', 'changed', 'unchanged', 'refused']),
        ...changeResult,
      }),
    ),
  },
  { $id: 'ArtifactsImport' },
);
export type ArtifactsImport = Static<typeof ArtifactsImport>;

export const importArtifacts = defineRoute({
  method: 'POST',
  path: '/trackers/{id}/artifacts_import',
  kind: 'protected',
  own: true,
  summary: 'Make artifacts from the rows of a CSV table, or change those that the rows name',
  description:
    'The first row names columns by the short names or labels of fields. A row with an id in the column `aid` or `id` ' +
    'changes that artifact, any other one makes a new artifact. A table with a fault is refused whole before anything is ' +
    'written; with `dry_run` the answer lists every fault and nothing is written at all. Also takes a body of text/csv, ' +
    'with the other members in the query string. Sent again with the same Idempotency-Key, rows that were written are not written again.',
  example: { params: { id: 5 }, body: { csv: 'summary,severity\nThe door squeaks,Minor\n', dry_run: true } },
  params: idParams,
  isRepeatable: true,
  csvMember: 'csv',
  body: Type.Object({
    csv: untrimmed({ description: 'The table' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only tell what would come of it' })),
    separator: Separator('Between cells; told by the first row unless given'),
    text_format: Type.Optional(
      choice(['text', 'html', 'commonmark'], {
        description: 'Of new texts; the one that you prefer unless given. Texts that change keep theirs.',
      }),
    ),
    date_order: Type.Optional(
      choice(['day_first', 'month_first'], {
        description:
          'How days such as 01/03/2026 are meant, as spreadsheets save them; without it they are refused. 2026-03-01 is read in any case.',
      }),
    ),
  }),
  response: ArtifactsImport,
});

export const artifactTableRoutes = [exportArtifacts, importArtifacts] as const;
