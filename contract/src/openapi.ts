import type { TObject } from '@bundled/typebox';
import { ErrorBody } from './errors.ts';
import { type JsonSchema, SchemaCollection } from './json-schema.ts';
import type { Paging, RouteContract, RouteKind } from './route.ts';
import { nameOf } from './routes.ts';

/** What a document says of the product beside its routes. */
export interface About {
  readonly title: string;
  readonly version: string;
}

export interface Info extends About {
  readonly description: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export interface Reference {
  readonly $ref: string;
}

export interface SecurityScheme {
  readonly type: string;
  readonly description: string;
  readonly in?: string;
  readonly name?: string;
  readonly scheme?: string;
}

/** Schemes that must all be met; a list of them is a choice. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly 'x-atelier-own'?: boolean;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  readonly security: readonly SecurityRequirement[];
}

export type PathItem = Readonly<Record<string, Operation>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Info;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

const description = [
  'Answers are JSON, or XML where `Accept` or a suffix `.xml` of the path asks for it; in XML the root is called',
  '`response` and every element of an array `item`. Request bodies are JSON, XML in the same form, or forms.',
  'Every path answers `OPTIONS`, and every `GET` also answers `HEAD`. `/api/v1` is the same as `/api`.',
  'Collections are read in pages by `limit` and `offset`; the headers `X-PAGINATION-*` tell where one is.',
  'Operations marked `x-atelier-own` are of this product; clients written for the compatible API do not know them.',
].join('\n');

const securitySchemes = {
  api_access_key: { type: 'apiKey', in: 'header', name: 'X-Auth-AccessKey', description: 'An access key' },
  token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'A token, with its user' },
  token_user: { type: 'apiKey', in: 'header', name: 'X-Auth-UserId', description: 'The user of the token' },
  basic: { type: 'http', scheme: 'basic', description: 'User name and password' },
} as const;

const loggedIn: readonly SecurityRequirement[] = [
  { api_access_key: [] },
  { token: [], token_user: [] },
  { basic: [] },
];

const security: Readonly<Record<RouteKind, readonly SecurityRequirement[]>> = {
  public: [],
  hybrid: [{}, ...loggedIn],
  protected: loggedIn,
};

const pageHeaders: Readonly<Record<string, HeaderObject>> = {
  'X-PAGINATION-LIMIT': { description: 'The limit of this page', schema: { type: 'integer' } },
  'X-PAGINATION-OFFSET': { description: 'How many items come before this page', schema: { type: 'integer' } },
  'X-PAGINATION-SIZE': {
    description: 'How many items there are for you in all',
    schema: { type: 'integer' },
  },
  'X-PAGINATION-LIMIT-MAX': { description: 'The largest limit', schema: { type: 'integer' } },
};

const phrases: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
};

const inFormats = (schema: JsonSchema, ...mediaTypes: string[]): Content =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));

function pageParameters(paging: Paging): ParameterObject[] {
  const { default: usual, maximum, minimum = 0, unit = 'Items' } = paging;
  const limit = { type: 'integer', minimum, maximum, default: usual };
  const offset = { type: 'integer', minimum: 0, default: 0 };
  return [
    { name: 'limit', in: 'query', required: false, description: `${unit} a page`, schema: limit },
    { name: 'offset', in: 'query', required: false, description: `${unit} to skip`, schema: offset },
  ];
}

function wordsOf({ description, argument }: RouteContract): string | undefined {
  const wrapping = argument && `The whole body may also be sent as the member \`${argument}\` of an object.`;
  const words = [description, wrapping].filter((part) => part !== undefined);
  return words.length === 0 ? undefined : words.join('\n\n');
}

/** Lists that are not cut say so by the same headers. */
const isList = ({ method, paging, response }: RouteContract) =>
  paging !== undefined || (method === 'GET' && response !== undefined && 'items' in response);

class DocumentBuilder {
  readonly schemas = new SchemaCollection('#/components/schemas/');

  #parameters(place: ParameterObject['in'], variables: TObject | undefined): ParameterObject[] {
    const required: readonly string[] = variables?.required ?? [];
    return Object.entries(variables?.properties ?? {}).map(([name, variable]) => {
      const { description, ...schema } = this.schemas.add(variable);
      const words = description === undefined ? {} : { description };
      return { name, in: place, required: place === 'path' || required.includes(name), ...words, schema };
    });
  }

  #body({ body, csvMember }: RouteContract): Partial<Operation> {
    if (body === undefined) return {};
    const schema = this.schemas.add(body);
    const { type, required }: { type?: unknown; required?: unknown } = body;
    const forms = type === 'object' ? ['application/x-www-form-urlencoded'] : [];
    const content = {
      ...inFormats(schema, 'application/json', 'application/xml', ...forms),
      ...(csvMember === undefined ? {} : inFormats({ type: 'string' }, 'text/csv')),
    };
    return { requestBody: { required: type !== 'object' || required !== undefined, content } };
  }

  #success(route: RouteContract): ResponseObject {
    const { status = 200, response, produces = [] } = route;
    const phrase = phrases[status] ?? 'Done';
    const headers = Object.keys(pageHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    return {
      description: response === undefined && produces.length === 0 ? `${phrase}. The body is empty.` : phrase,
      ...(isList(route) && { headers: Object.fromEntries(headers) }),
      ...(produces.length > 0 && { content: inFormats({ type: 'string' }, ...produces) }),
      ...(response && {
        content: inFormats(this.schemas.add(response), 'application/json', 'application/xml'),
      }),
    };
  }

  operation(route: RouteContract): Operation {
    const parameters = [
      ...this.#parameters('path', route.params),
      ...this.#parameters('query', route.query),
      ...(route.paging ? pageParameters(route.paging) : []),
    ];
    const words = wordsOf(route);
    return {
      operationId: nameOf(route),
      tags: [tagOf(route)],
      summary: route.summary,
      ...(words === undefined ? {} : { description: words }),
      ...(route.deprecated ? { deprecated: true } : {}),
      ...(route.own ? { 'x-atelier-own': true } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...this.#body(route),
      responses: {
        [route.status ?? 200]: this.#success(route),
        default: { $ref: '#/components/responses/Error' },
      },
      security: security[route.kind],
    };
  }
}

const tagOf = ({ path }: RouteContract) => path.split('/')[1] ?? '';

/** The OpenAPI 3.1 document of these routes. */
export function buildOpenApi(routes: readonly RouteContract[], about: About): OpenApiDocument {
  const builder = new DocumentBuilder();
  const error = inFormats(builder.schemas.add(ErrorBody), 'application/json', 'application/xml');
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: builder.operation(route) };
  }
  return {
    openapi: '3.1.1',
    info: { ...about, description },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: builder.schemas.components,
      headers: pageHeaders,
      responses: { Error: { description: 'Refused or failed', content: error } },
      securitySchemes,
    },
  };
}
