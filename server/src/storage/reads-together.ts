import { type SelectQueryBuilder, sql } from '@bundled/kysely';
import type { Reader } from './database.ts';
import { type SqlBuilder, Statement } from './statement.ts';
import type { Tables } from './tables.ts';

type Query<Row> = SelectQueryBuilder<Tables, keyof Tables, Row>;
type Build<Parameters, Row = unknown> = (sql: SqlBuilder, parameters: Parameters) => Query<Row>;

/** A query for each name; its columns are such as JSON has: texts, numbers and nulls. */
type Builds = Readonly<Record<string, Build<never>>>;
type ParametersOf<Some extends Builds> = Parameters<Some[keyof Some]>[1];
type Found<Some extends Builds> = {
  readonly [Name in keyof Some]: Some[Name] extends Build<never, infer Row> ? Row[] : never;
};

/**
 * Lists of rows that belong together, each of a query of its own. Over a network one statement brings all of them, as arrays of JSON: what
 * a question costs there is the way, not the rows.
 */
export class ReadsTogether<const Some extends Builds> {
  readonly #single: ReadonlyMap<string, Statement<ParametersOf<Some>, unknown>>;
  readonly #whole: Statement<ParametersOf<Some>, Found<Some>>;

  constructor(builds: Some) {
    const entries = Object.entries<Build<ParametersOf<Some>>>(builds);
    this.#single = new Map(entries.map(([name, build]) => [name, new Statement(build)]));
    this.#whole = new Statement((builder, parameters) => {
      const arrays = entries.map(([name, build]) =>
        sql`(select coalesce(json_agg(part), '[]'::json) from ${build(builder, parameters)} as part)`.as(
          name,
        ),
      );
      return builder.selectNoFrom(arrays).$castTo<Found<Some>>();
    });
  }

  async find(reader: Reader, parameters: ParametersOf<Some>): Promise<Found<Some>> {
    if (reader.isRemote) {
      const [whole] = await reader.all(this.#whole, parameters);
      if (whole === undefined) throw new Error('A statement without tables gave no row.');
      return whole;
    }
    const found: [string, unknown[]][] = [];
    for (const [name, single] of this.#single) found.push([name, await reader.all(single, parameters)]);
    return Object.fromEntries(found) as Found<Some>;
  }
}
