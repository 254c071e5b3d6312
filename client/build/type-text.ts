/** JSON Schema as the contract's schemas have it, with the names of those that are shared. */
export interface Schema {
  readonly $id?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly 'x-object'?: boolean;
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const literal = (value: unknown) => JSON.stringify(value);
const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);

/** A comment for editors to show. */
export function comment(words: string | undefined, indent = ''): string {
  if (words === undefined || words === '') return '';
  const lines = words.replaceAll('*/', '*\u200b/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Writes schemas as types; a schema with a name is written once and referred to. */
export class TypeWriter {
  readonly #names: ReadonlyMap<unknown, string>;
  readonly #shared = new Map<string, string>();

  /** `names`: what schemas are called, where that is not their `$id`. */
  constructor(names: ReadonlyMap<unknown, string>) {
    this.#names = names;
  }

  /** The declarations of all shared types that were written so far. */
  get declarations(): string {
    return [...this.#shared]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => `${text}\n`)
      .join('\n');
  }

  typeOf(schema: Schema, indent = ''): string {
    const name = this.#names.get(schema) ?? schema.$id;
    if (name === undefined) return this.#written(schema, indent);
    if (!this.#shared.has(name)) {
      this.#shared.set(name, '');
      const text = `export type ${name} = ${this.#written(schema, '')};`;
      this.#shared.set(name, comment(schema.description) + text);
    }
    return name;
  }

  #written(schema: Schema, indent: string): string {
    const { anyOf, allOf, type = '' } = schema;
    if (schema['x-object']) return 'Readonly<Record<string, unknown>>';
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
    if (anyOf !== undefined) return this.#joined(anyOf, ' | ', indent);
    if (allOf !== undefined) return this.#joined(allOf, ' & ', indent);
    if (type === 'array') return `Array<${this.typeOf(schema.items ?? {}, indent)}>`;
    if (type === 'object') return this.#object(schema, indent);
    return primitives[type] ?? 'unknown';
  }

  #joined(schemas: readonly Schema[], sign: string, indent: string): string {
    return `(${[...new Set(schemas.map((schema) => this.typeOf(schema, indent)))].join(sign)})`;
  }

  #object({ properties = {}, patternProperties, required = [], ...rest }: Schema, indent: string): string {
    const inner = `${indent}  `;
    const members = Object.entries(properties).map(([name, schema]) => {
      const key = `${isIdentifier(name) ? name : literal(name)}${required.includes(name) ? '' : '?'}`;
      return `${comment(schema.description, inner)}${inner}${key}: ${this.typeOf(schema, inner)};\n`;
    });
    const values = Object.values(patternProperties ?? {})[0];
    if (values !== undefined) members.push(`${inner}[name: string]: ${this.typeOf(values, inner)};\n`);
    else if (rest.additionalProperties === true) members.push(`${inner}[name: string]: unknown;\n`);
    return members.length === 0 ? 'Record<never, never>' : `{\n${members.join('')}${indent}}`;
  }
}
