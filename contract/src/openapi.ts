import type { TObject } from '@bundled/typebox';
import { ErrorBody } from './errors.ts';
import type { HeaderObject } from './header-objects.ts';
import { answerHeaders, headersOf, requestHeadersOf } from './headers.ts';
import { type Dialect, type JsonSchema, SchemaCollection } from './json-schema.ts';
import type { Paging, RouteContract, RouteKind } from './route.ts';
import { nameOf } from './routes.ts';
import { tagDescriptions } from './tags.ts';
import { xmlExampleOf } from './xml-example.ts';

/** What a document says of the product beside its routes. */
export interface About {
  readonly title: string;
  readonly version: string;
}

export interface Info extends About {
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier?: string };
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

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
  readonly description: string;
  readonly deprecated?: boolean;
  readonly 'x-atelier-own'?: boolean;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required: boolean;
    readonly content: Content;
  };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  readonly security: readonly SecurityRequirement[];
}

export type PathItem = Readonly<Record<string, Operation>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Info;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
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
  'Programs send an access key in `X-Auth-AccessKey`; `POST /access_keys` makes one for whoever sends a user name and a password.',
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
  // The last one stands for nobody: tools offer the first.
  hybrid: [...loggedIn, {}],
  protected: loggedIn,
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

function wordsOf({ description, argument, bareMember }: RouteContract): string {
  if (bareMember !== undefined)
    return `${description}\n\nWhat is in \`${bareMember}\` may also be sent as the whole body.`;
  if (argument === undefined) return description;
  return `${description}\n\nThe whole body may also be sent as the member \`${argument}\` of an object.`;
}

const headerParameters = (route: RouteContract): ParameterObject[] =>
  Object.entries(requestHeadersOf(route)).map(([name, header]) => ({
    name,
    in: 'header',
    required: false,
    ...header,
  }));

/** A body that has members which must be there must be there itself. What a GET has in it can be said by the query too. */
function isBodyRequired({ method, body }: RouteContract): boolean {
  const { type, required = [] }: { type?: unknown; required?: readonly string[] } = body ?? {};
  return method !== 'GET' && (type !== 'object' || required.length > 0);
}

const hasBody = ({ method, body }: RouteContract) => method !== 'GET' && body !== undefined;

interface RefusalWords {
  readonly status: number;
  readonly words: string;
  /** Which routes have it, beside those that name it. */
  readonly isOf?: (route: RouteContract) => boolean;
  readonly isTemporary?: boolean;
}

/** Refusals that a caller can do something about, and why they come. */
const refusals: readonly RefusalWords[] = [
  {
    status: 400,
    words: 'Something in the request is wrong; the message names it',
    isOf: ({ path, query, paging, body }) => path.includes('{') || [query, paging, body].some(Boolean),
  },
  { status: 401, words: 'No credentials, or wrong ones', isOf: ({ kind }) => kind !== 'public' },
  { status: 403, words: 'The credentials do not allow it', isOf: ({ kind }) => kind !== 'public' },
  { status: 404, words: 'It is not there, or not for you to see', isOf: ({ path }) => path.includes('{') },
  { status: 406, words: 'Neither JSON nor XML is accepted', isOf: ({ produces }) => produces === undefined },
  {
    status: 409,
    words: 'It does not go with what is there already, or under way',
    isOf: ({ isRepeatable }) => isRepeatable === true,
  },
  {
    status: 412,
    words: 'It was changed since it was read',
    isOf: ({ isConditional }) => isConditional === true,
  },
  { status: 413, words: 'The body is larger than what is taken', isOf: hasBody },
  { status: 415, words: 'The body is of a type that is not taken', isOf: hasBody },
  { status: 429, words: 'Too many, or too often', isTemporary: true },
  { status: 503, words: 'Something that is needed is away; nothing was changed', isTemporary: true },
];

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
const refusalsOf = (route: RouteContract) =>
  refusals.filter(({ status, isOf }) => isOf?.(route) || route.refusals?.some((named) => named === status));
const referTo = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });

class DocumentBuilder {
  readonly schemas: SchemaCollection;

  constructor(dialect: Dialect) {
    this.schemas = new SchemaCollection('#/components/schemas/', dialect);
  }

  #parameters(
    place: ParameterObject['in'],
    variables: TObject | undefined,
    examples: Readonly<Record<string, unknown>> = {},
  ): ParameterObject[] {
    const required: readonly string[] = variables?.required ?? [];
    return Object.entries(variables?.properties ?? {}).map(([name, variable]) => {
      const { description, ...schema } = this.schemas.add(variable);
      const words = description === undefined ? {} : { description };
      const sample = name in examples ? { example: examples[name] } : {};
      const isRequired = place === 'path' || required.includes(name);
      return { name, in: place, required: isRequired, ...words, schema, ...sample };
    });
  }

  #body(route: RouteContract): Partial<Operation> {
    const { body, argument, csvMember, example } = route;
    if (body === undefined) return {};
    const schema = this.schemas.add(body);
    const { type }: { type?: unknown } = body;
    const forms = type === 'object' ? ['application/x-www-form-urlencoded'] : [];
    const content = {
      'application/json': { schema, ...(example && { example: example.body }) },
      ...inFormats(schema, 'application/xml', ...forms),
      ...(csvMember === undefined ? {} : inFormats({ type: 'string' }, 'text/csv')),
    };
    // Tools hold examples against the schema, which knows nothing of `item`: in XML it stands in the words.
    const words = example && {
      description: `<details><summary>In XML</summary>\n\n\`\`\`xml\n${xmlExampleOf(example.body, argument)}\`\`\`\n\n</details>`,
    };
    return { requestBody: { ...words, required: isBodyRequired(route), content } };
  }

  #success(route: RouteContract): ResponseObject {
    const { status = 200, response, produces = [] } = route;
    const phrase = phrases[status] ?? 'Done';
    const headers = headersOf(route).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    return {
      description: response === undefined && produces.length === 0 ? `${phrase}. The body is empty.` : phrase,
      headers: Object.fromEntries(headers),
      ...(produces.length > 0 && { content: inFormats({ type: 'string' }, ...produces) }),
      ...(response && {
        content: inFormats(this.schemas.add(response), 'application/json', 'application/xml'),
      }),
    };
  }

  operation(route: RouteContract): Operation {
    const parameters = [
      ...this.#parameters('path', route.params, route.example?.params),
      ...this.#parameters('query', route.query),
      ...(route.paging ? pageParameters(route.paging) : []),
      ...headerParameters(route),
    ];
    return {
      operationId: nameOf(route),
      tags: [tagOf(route)],
      summary: route.summary,
      description: wordsOf(route),
      ...(route.deprecated ? { deprecated: true } : {}),
      ...(route.own ? { 'x-atelier-own': true } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...this.#body(route),
      responses: {
        [route.status ?? 200]: this.#success(route),
        ...(route.emptySuccess && { 204: { description: `${route.emptySuccess}. The body is empty.` } }),
        ...(route.method === 'GET' && route.isRevalidated ? { 304: referTo('NotModified') } : {}),
        ...Object.fromEntries(refusalsOf(route).map(({ status }) => [status, referTo(`Refusal${status}`)])),
        default: referTo('Error'),
      },
      security: security[route.kind],
    };
  }
}

function tagNamed(name: string): OpenApiDocument['tags'][number] {
  const words = tagDescriptions[name];
  return words === undefined ? { name } : { name, description: words };
}

const tagOf = ({ path }: RouteContract) => path.split('/')[1] ?? '';

/** What differs between the editions of OpenAPI in which the API is described. */
const editions = {
  '3.1': { openapi: '3.1.1', dialect: '2020-12', license: { name: 'MIT', identifier: 'MIT' } },
  '3.0': { openapi: '3.0.4', dialect: 'OpenAPI 3.0', license: { name: 'MIT' } },
} as const;

/** The OpenAPI document of these routes. */
export function buildOpenApi(
  routes: readonly RouteContract[],
  about: About,
  edition: keyof typeof editions = '3.1',
): OpenApiDocument {
  const { openapi, dialect, license } = editions[edition];
  const builder = new DocumentBuilder(dialect);
  const error = inFormats(builder.schemas.add(ErrorBody), 'application/json', 'application/xml');
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: builder.operation(route) };
  }
  return {
    openapi,
    info: { ...about, description, license },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map(tagOf))].sort().map(tagNamed),
    paths,
    components: {
      schemas: builder.schemas.components,
      headers: answerHeaders,
      responses: {
        Error: { description: 'Refused or failed', headers: retryAfter, content: error },
        NotModified: { description: 'The version that the caller has is still the one. The body is empty.' },
        ...Object.fromEntries(
          refusals.map(({ status, words, isTemporary }) => [
            `Refusal${status}`,
            { description: words, ...(isTemporary && { headers: retryAfter }), content: error },
          ]),
        ),
      },
      securitySchemes,
    },
  };
}
