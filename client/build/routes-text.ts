import * as contract from '@atelier/contract';
import { nameOf, type RouteContract, routes } from '@atelier/contract';
import { comment, type Schema, TypeWriter } from './type-text.ts';

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '~kind' in value;

/** What the contract calls its schemas. */
const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(contract).flatMap(([name, value]): [Schema, string][] =>
    isSchema(value) ? [[value, name]] : [],
  ),
);

/** Stands at the top of the file: the same names as the contract's, without its schemas. */
const head = `// Written by the build of this package from the routes of the server.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Page sizes of a collection. */
export interface Paging {
  readonly default: number;
  readonly maximum: number;
  readonly minimum?: number;
  /** What is counted: items unless given. */
  readonly unit?: string;
}

export interface RouteContract {
  readonly method: Method;
  /** Path below \`/api\`, with variables in braces. */
  readonly path: string;
  readonly paging?: Paging;
  /** Media types of an answer that is a file. */
  readonly produces?: readonly string[];
}

/** What a call of a route takes and gives. */
interface Exchange {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly response: unknown;
}

/** Only the compiler knows it: there is nothing of it in a route. */
declare const exchange: unique symbol;

export interface Route<Types extends Exchange> extends RouteContract {
  readonly [exchange]?: Types;
}

type PartOf<Contract, Part extends keyof Exchange> = Contract extends { readonly [exchange]?: infer Types }
  ? Types extends Exchange
    ? Types[Part]
    : never
  : never;
export type ParamsOf<Contract> = PartOf<Contract, 'params'>;
export type QueryOf<Contract> = PartOf<Contract, 'query'>;
export type BodyOf<Contract> = PartOf<Contract, 'body'>;
export type ResponseOf<Contract> = PartOf<Contract, 'response'>;
`;

const nothing = 'Record<never, never>';

function queryType(types: TypeWriter, { query, paging }: RouteContract): string {
  const declared = query === undefined ? undefined : types.typeOf(query, '    ');
  const page = paging === undefined ? undefined : '{ limit: number; offset: number }';
  return [declared, page].filter((part) => part !== undefined).join(' & ') || nothing;
}

/** What there is of a route when a program runs. */
function constantOf({ method, path, paging, produces }: RouteContract): string {
  return JSON.stringify({ method, path, paging, produces });
}

function routeText(types: TypeWriter, route: RouteContract): string {
  const { method, params, body, response, paging, produces } = route;
  const typeOf = (schema: Schema | undefined, otherwise: string) =>
    schema === undefined ? otherwise : types.typeOf(schema, '    ');
  const more = [
    `readonly method: '${method}'`,
    ...(paging === undefined ? [] : ['readonly paging: Paging']),
    ...(produces === undefined ? [] : ['readonly produces: readonly string[]']),
  ];
  const words = [`${method} ${route.path}: ${route.summary}`, route.description].filter(Boolean).join('\n\n');
  const deprecated = route.deprecated ? '\n\n@deprecated' : '';
  return `${comment(`${words}${deprecated}`)}export const ${nameOf(route)}: Route<{
    params: ${typeOf(params, nothing)};
    query: ${queryType(types, route)};
    body: ${typeOf(body, 'undefined')};
    response: ${typeOf(response, 'undefined')};
  }> & { ${more.join('; ')} } = ${constantOf(route)};
`;
}

/** The contract as a module of plain types and of routes without schemas. */
export function routesText(): string {
  const types = new TypeWriter(names);
  const all: readonly RouteContract[] = routes;
  const constants = all.map((route) => routeText(types, route));
  // Some are in no route and of use all the same: the body of an error.
  for (const schema of names.keys()) if (isSchema(schema)) types.typeOf(schema);
  return [head, types.declarations, ...constants].join('\n');
}
