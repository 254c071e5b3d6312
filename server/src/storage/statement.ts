import {
  type Compilable,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
} from '@bundled/kysely';
import { likePattern } from '../kernel/text.ts';
import type { Capabilities, Executable } from './engine.ts';
import type { Tables } from './tables.ts';

export type SqlBuilder = Kysely<Tables>;

/** A builder that only writes SQL; our engines run it. */
export function createBuilder(compiler: QueryCompiler): SqlBuilder {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => compiler,
    },
  });
}

/** Stands for a value that comes later. Whoever builds a statement hands it on and does not ask what it is. */
class Hole {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`The parameter ${this.name} has no value while its statement is built.`);
  }
}

const holes: Record<string, unknown> = new Proxy({}, { get: (_, name) => new Hole(String(name)) });

interface Compiled {
  readonly sql: string;
  readonly name: string;
  readonly fill: (parameters: Record<string, unknown>) => unknown[];
}

type Build<Parameters, Result> = (
  sql: SqlBuilder,
  parameters: Parameters,
  capabilities: Capabilities,
) => Compilable<Result>;

let statements = 0;

/**
 * A statement that is written once, compiled once for each engine and kept prepared: a fifth of the cost of building
 * it at every call. Its parameters are named holes.
 */
export class Statement<Parameters, Result> {
  readonly #build: Build<Parameters, Result>;
  readonly #compiled = new Map<Capabilities, Compiled>();
  readonly #name = `s${++statements}`;

  constructor(build: Build<Parameters, Result>) {
    this.#build = build;
  }

  #compile(sql: SqlBuilder, capabilities: Capabilities): Compiled {
    // The one place where a hole stands in for a value that comes later.
    const query = this.#build(sql, holes as Parameters, capabilities).compile();
    const names = query.parameters.map((parameter) =>
      parameter instanceof Hole ? parameter.name : undefined,
    );
    const fill = (values: Record<string, unknown>) =>
      names.map((name, index) => (name === undefined ? query.parameters[index] : values[name]));
    return { sql: query.sql, name: this.#name, fill };
  }

  on(capabilities: Capabilities, sql: SqlBuilder, parameters: Parameters): Executable {
    let compiled = this.#compiled.get(capabilities);
    if (compiled === undefined) {
      compiled = this.#compile(sql, capabilities);
      this.#compiled.set(capabilities, compiled);
    }
    return {
      sql: compiled.sql,
      name: compiled.name,
      values: compiled.fill(parameters as Record<string, unknown>),
    };
  }
}

/** `statement((sql, p: { id: number }) => sql.selectFrom('project').selectAll().where('id', '=', p.id))` */
export function statement<Parameters, Result>(
  build: (sql: SqlBuilder, parameters: Parameters) => Compilable<Result>,
): Statement<Parameters, Result> {
  return new Statement(build);
}

/** As `statement`, for rows that no other transaction may change until this one ends. */
export function lockingStatement<Parameters, Result>(
  build: (sql: SqlBuilder, parameters: Parameters) => SelectQueryBuilder<Tables, keyof Tables, Result>,
): Statement<Parameters, Result> {
  return new Statement((sql, parameters: Parameters, { locksRows }) => {
    const query = build(sql, parameters);
    // Others may still refer to the rows: what is kept from them is changing.
    return locksRows ? query.forNoKeyUpdate() : query;
  });
}

/** Ids of one statement at the most; whoever has more asks several times. */
export const mostIds = 1024;

type ById<Result> = Statement<Readonly<Record<string, number>>, Result>;

/**
 * A statement over a list of ids, kept prepared for a few lengths: shorter lists repeat their last id. Gives what
 * `all` and `run` take: `reader.all(...artifactsByIds(ids))`.
 */
export function statementOverIds<Result>(
  build: (sql: SqlBuilder, ids: readonly number[]) => Compilable<Result>,
): (ids: readonly number[]) => [ById<Result>, Readonly<Record<string, number>>] {
  const byLength = new Map<number, ById<Result>>();
  return (ids) => {
    const length = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)));
    const names = idNames(length);
    const known =
      byLength.get(length) ??
      new Statement((sql, p) =>
        build(
          sql,
          names.map((name) => p[name] ?? 0),
        ),
      );
    byLength.set(length, known);
    const last = ids.at(-1) ?? 0;
    const parameters: Record<string, number> = {};
    names.forEach((name, index) => {
      parameters[name] = ids[index] ?? last;
    });
    return [known, parameters];
  };
}

const namesByLength = new Map<number, readonly string[]>();

function idNames(length: number): readonly string[] {
  const names = namesByLength.get(length) ?? Array.from({ length }, (_, index) => `id${index}`);
  namesByLength.set(length, names);
  return names;
}

/** The same without regard to the case of the letters from a to z, for texts that are not stored folded. */
export function containsInAnyCase(column: string, part: string) {
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${likePattern(part.toLowerCase())} escape '\\'`;
}

/** True where the column's text has the given part in it, byte for byte. */
export function contains(column: string, part: string) {
  return sql<SqlBool>`${sql.ref(column)} like ${likePattern(part)} escape '\\'`;
}

/** True where the column has one of these numbers: as one parameter, since there may be more of them than a statement takes. */
export const isOneOf = (isRemote: boolean, column: RawBuilder<unknown>, numbers: readonly number[]) =>
  isRemote
    ? sql<SqlBool>`${column} = any(${numbers}::bigint[])`
    : sql<SqlBool>`${column} in (select value from json_each(${JSON.stringify(numbers)}))`;
