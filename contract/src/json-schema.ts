import type { TSchema } from '@bundled/typebox';

/** Plain JSON Schema (2020-12, or the dialect of OpenAPI 3.0), as far as the contract uses it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** How OpenAPI 3.0 says that `null` is a value, too. */
  readonly nullable?: boolean;
}

interface Source extends JsonSchema {
  readonly $id?: string;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  /** An object of any members, which binding leaves as it is. */
  readonly 'x-object'?: boolean;
}

/** Names for choices that are signs, which generators of clients read. */
const choiceNames = 'x-enum-varnames';

/** Keywords that guide the binding of requests, and marks of the schema library, are nobody else's business. */
const isInternal = (keyword: string) =>
  (keyword.startsWith('x-') && keyword !== choiceNames) || keyword.startsWith('~') || keyword === '$id';

export function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/**
 * How a schema says that `null` is a value, too. `null` joins the type where there is one to join, which readers of documents show best.
 * It stays outside a list of texts: generators make types of such lists that hold texts alone.
 */
function typeOrNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, description, ...rest } = schema;
  if (typeof type === 'string' && values === undefined) return { ...schema, type: [type, 'null'] };
  const told = description === undefined ? {} : { description };
  if (values !== undefined) return { ...told, anyOf: [{ ...rest, type, enum: values }, { type: 'null' }] };
  const isUnion = anyOf !== undefined && description === undefined && Object.keys(rest).length === 0;
  return { anyOf: [...(isUnion ? anyOf : [schema]), { type: 'null' }] };
}

/** The same in OpenAPI 3.0, where a reference cannot have company. */
function nullable(schema: JsonSchema): JsonSchema {
  const { $ref, enum: values } = schema;
  if ($ref !== undefined) return { allOf: [schema], nullable: true };
  return { ...schema, nullable: true, ...(values === undefined ? {} : { enum: [...values, null] }) };
}

/** Dialects in which schemas can be written. */
export type Dialect = '2020-12' | 'OpenAPI 3.0';

/** Turns the contract's schemas into plain ones; those that have an `$id` become shared components. */
export class SchemaCollection {
  readonly #base: string;
  readonly #orNull: (schema: JsonSchema) => JsonSchema;
  readonly #components = new Map<string, JsonSchema>();

  constructor(base: string, dialect: Dialect) {
    this.#base = base;
    this.#orNull = dialect === '2020-12' ? typeOrNull : nullable;
  }

  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  add(schema: TSchema): JsonSchema {
    const source: Source = schema;
    if (source.$id === undefined) return this.#plain(source);
    this.#share(source.$id, this.#plain(source));
    return { $ref: `${this.#base}${source.$id}` };
  }

  #share(id: string, schema: JsonSchema): void {
    const known = this.#components.get(id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${id}.`);
    }
    this.#components.set(id, schema);
  }

  #plain({ anyOf, allOf, items, properties, patternProperties, ...rest }: Source): JsonSchema {
    const keywords = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !isInternal(keyword)));
    const isTextChoice =
      keywords['type'] === undefined && rest.enum?.every((value) => typeof value === 'string');
    return {
      ...(isTextChoice ? { type: 'string' } : {}),
      ...(rest['x-object'] ? { type: 'object' } : {}),
      ...keywords,
      ...(items && { items: this.add(items) }),
      ...(properties && { properties: mapValues(properties, (member) => this.add(member)) }),
      ...(patternProperties && { additionalProperties: this.#values(patternProperties) }),
      ...(allOf && { allOf: allOf.map((part) => this.add(part)) }),
      ...(anyOf && this.#union(anyOf)),
    };
  }

  /** Members of any name: all of them have one shape. */
  #values(patterns: Readonly<Record<string, JsonSchema>>): JsonSchema {
    return this.add(Object.values(patterns)[0] ?? {});
  }

  #union(choices: readonly JsonSchema[]): JsonSchema {
    const values = choices.filter(({ type }) => type !== 'null').map((choice) => this.add(choice));
    const isNullable = values.length < choices.length;
    const [only] = values;
    const schema = only !== undefined && values.length === 1 ? only : { anyOf: values };
    return isNullable ? this.#orNull(schema) : schema;
  }
}
