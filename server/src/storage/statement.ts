import {
  type Compilable,
  DummyDriver,
  Kysely,
  type QueryCompiler,
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

class Hole {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const holes: Record<string, unknown> = new Proxy({}, { get: (_, name) => new Hole(String(name)) });

interface Compiled {
  readonly sql: string;
  readonly name: string;
  readonly fill: (parameters: Record<string, unknown>) => unknown[];
}

let statements = 0;

/**
 * A statement that is written once, compiled once for each engine and kept prepared: a fifth of the cost of building
 * it at every call. Its parameters are named holes.
 */
export class Statement<Parameters, Result> {
  readonly #build: (sql: SqlBuilder, parameters: Parameters) => Compilable<Result>;
  readonly #compiled = new Map<Capabilities, Compiled>();
  readonly #name = `s${++statements}`;

  constructor(build: (sql: SqlBuilder, parameters: Parameters) => Compilable<Result>) {
    this.#build = build;
  }

  #compile(sql: SqlBuilder): Compiled {
    // The one place where a hole stands in for a value that comes later.
    const query = this.#build(sql, holes as Parameters).compile();
    const names = query.parameters.map((parameter) =>
      parameter instanceof Hole ? parameter.name : undefined,
    );
    const fill = (given: Record<string, unknown>) =>
      names.map((name, index) => (name === undefined ? query.parameters[index] : given[name]));
    return { sql: query.sql, name: this.#name, fill };
  }

  on(capabilities: Capabilities, sql: SqlBuilder, parameters: Parameters): Executable {
    let compiled = this.#compiled.get(capabilities);
    if (compiled === undefined) {
      compiled = this.#compile(sql);
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

/** True where the column's text has the given part in it, byte for byte. */
export function contains(column: string, part: string) {
  return sql<SqlBool>`${sql.ref(column)} like ${likePattern(part)} escape '\\'`;
}
