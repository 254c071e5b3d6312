import {
  contains,
  type Expression,
  type RawBuilder,
  type Reader,
  type SqlBool,
  type Statement,
  sql,
  statement,
} from '../../storage/index.ts';
import type { Rows } from './predicates.ts';

/** A piece of SQL, with its values. */
export type SqlPiece = RawBuilder<unknown>;

/** Searches are written for one question each; what they share is small enough to be prepared anew. */
export function all<Row>(reader: Reader, query: SqlPiece): Promise<Row[]> {
  return reader.all({ compile: () => sql<Row>`${query}`.compile(reader.sql) });
}

/** What every search asks is compiled once, as `statement` does. */
export const prepared = <Parameters, Row>(
  build: (parameters: Parameters) => SqlPiece,
): Statement<Parameters, Row> =>
  statement((builder, parameters: Parameters) => ({
    compile: () => sql<Row>`${build(parameters)}`.compile(builder),
  }));

/** The numbers of a column as one text, which is read far more quickly than rows. */
export const joined = (column: SqlPiece): SqlPiece => sql`string_agg(cast(${column} as text), ',')`;

/** The ids that rows tell, for use inside another query. */
export const idsIn = ({ id, from, where }: Rows): SqlPiece =>
  sql`select ${sql.raw(id)} as id from ${sql.raw(from)} ${whereAll(where)}`;

export const whereAll = (where: readonly Expression<unknown>[]): SqlPiece =>
  where.length === 0 ? sql`` : sql`where ${sql.join([...where], sql` and `)}`;

/** True for texts that have all parts. */
export const hasAll = (parts: readonly string[]) =>
  sql<SqlBool>`(${sql.join(
    parts.map((part) => contains('text', part)),
    sql` and `,
  )})`;
