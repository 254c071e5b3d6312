import { type RouteContract, routes } from '@atelier/contract';
import { Compile } from 'typebox/schema';
import type { Reply } from './caller.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const closedMembers = (schemas: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));

/** The same schema, for which a member that it does not name is a fault. `isPart`: of several that say together what there is. */
function closed(schema: Schema, isPart = false): Schema {
  const { properties, patternProperties, additionalProperties, items, anyOf, allOf, $defs } = schema;
  const isOpen = additionalProperties === undefined && patternProperties === undefined;
  return {
    ...schema,
    ...(properties && { properties: closedMembers(properties) }),
    ...(patternProperties && { patternProperties: closedMembers(patternProperties) }),
    ...(properties && isOpen && !isPart && { additionalProperties: false }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closed(additionalProperties) }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map((one) => closed(one, isPart)) }),
    ...(allOf && {
      allOf: allOf.map((one) => closed(one, true)),
      ...(!isPart && { unevaluatedProperties: false }),
    }),
    ...($defs && { $defs: closedMembers($defs) }),
  };
}

interface Answering {
  readonly route: RouteContract;
  readonly path: RegExp;
  check?: ReturnType<typeof Compile>;
}

/** Paths without variables come first: `/users/self` is no id. */
const answering: readonly Answering[] = routes
  .map((route: RouteContract) => ({
    route,
    path: new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  .sort((a, b) => variablesOf(a.route) - variablesOf(b.route));

function variablesOf({ path }: RouteContract): number {
  return path.split('{').length;
}

/** By method and path: most of them are asked for again and again. */
const found = new Map<string, Answering | undefined>();

function answeringTo(method: string, pathname: string): Answering | undefined {
  const asked = `${method} ${pathname}`;
  if (!found.has(asked))
    found.set(
      asked,
      answering.find(({ route, path }) => route.method === method && path.test(pathname)),
    );
  return found.get(asked);
}

/** Throws when a success is not what the contract says of it. */
export function checkAnswer(method: string, target: string, answer: Reply): void {
  if (answer.status < 200 || answer.status > 299) return;
  const [pathname = ''] = target.split('?');
  const asked = answeringTo(method, pathname);
  if (asked === undefined || asked.route.produces !== undefined) return;
  const { response } = asked.route;
  const told = `${method} ${asked.route.path}`;
  if (response === undefined) {
    if (answer.text !== '')
      throw new Error(`${told} has a body, of which the contract knows nothing: ${answer.text}`);
    return;
  }
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return;
  asked.check ??= Compile(closed(response as Schema));
  if (asked.check.Check(answer.body)) return;
  const [, faults] = asked.check.Errors(answer.body);
  const words = faults
    .slice(0, 8)
    .map(({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`);
  throw new Error(`${told} does not answer what the contract says:\n${words.join('\n')}`);
}
