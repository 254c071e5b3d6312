import type { HeaderObject } from './header-objects.ts';
import { type JsonSchema, mapValues } from './json-schema.ts';
import {
  type About,
  buildOpenApi,
  type Info,
  type OpenApiDocument,
  type Operation,
  type ParameterObject,
  type Reference,
  type ResponseObject,
  type SecurityScheme,
} from './openapi.ts';
import type { RouteContract } from './route.ts';

/** An object of a Swagger document that is only written, never looked into. */
type Part = Readonly<Record<string, unknown>>;

export interface SwaggerDocument {
  readonly swagger: '2.0';
  readonly info: Info;
  readonly basePath: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
  readonly definitions: Readonly<Record<string, Part>>;
  readonly responses: Readonly<Record<string, Part>>;
  readonly securityDefinitions: Readonly<Record<string, Part>>;
}

/** What almost all operations take and answer. */
const usual: readonly string[] = ['application/json', 'application/xml'];

/** Texts of the older format: it has no null and no unions, and a reference cannot have company. */
function schemaOf(schema: JsonSchema): Part {
  const {
    $ref,
    type,
    enum: values,
    const: value,
    items,
    properties,
    additionalProperties,
    anyOf,
    allOf,
    ...rest
  } = schema;
  if ($ref !== undefined) return { $ref: $ref.replace('#/components/schemas/', '#/definitions/') };
  if (anyOf !== undefined) return { ...unionOf(anyOf), ...rest };
  return {
    ...typeOf(type),
    ...rest,
    ...(values && { enum: values.filter((choice) => choice !== null) }),
    ...(value !== undefined && { enum: [value] }),
    ...(items && { items: schemaOf(items) }),
    ...(properties && { properties: mapValues(properties, schemaOf) }),
    ...(additionalProperties !== undefined && { additionalProperties: valuesOf(additionalProperties) }),
    ...(allOf && { allOf: allOf.map(schemaOf) }),
  };
}

const valuesOf = (schema: JsonSchema | boolean) => (typeof schema === 'boolean' ? schema : schemaOf(schema));

function typeOf(type: JsonSchema['type']): Part {
  if (type === undefined || typeof type === 'string') return type === undefined ? {} : { type };
  const [first, ...others] = type.filter((name) => name !== 'null');
  return {
    ...(others.length === 0 && first !== undefined ? { type: first } : {}),
    ...(type.includes('null') ? { 'x-nullable': true } : {}),
  };
}

/** What is told of a value that may be one of several things: what they have in common. */
function commonOf(choices: readonly JsonSchema[]): Part {
  const names = choices.map(({ $ref }) => $ref?.split('/').at(-1));
  if (names.every((name) => name !== undefined))
    return { type: 'object', description: `One of ${names.join(', ')}` };
  const isArrays = choices.every(({ type }) => type === 'array');
  return isArrays ? { type: 'array', items: unionOf(choices.flatMap(({ items }) => items ?? [])) } : {};
}

function unionOf(choices: readonly JsonSchema[]): Part {
  const values = choices.filter(({ type }) => type !== 'null');
  const nullable = values.length < choices.length ? { 'x-nullable': true } : {};
  const [only] = values;
  if (only === undefined || values.length > 1) return { ...commonOf(values), ...nullable };
  return only.$ref === undefined
    ? { ...schemaOf(only), ...nullable }
    : { allOf: [schemaOf(only)], ...nullable };
}

/** Parameters had no examples then, and lists stood in one parameter with commas unless the document said otherwise. */
function parameterOf({ schema, example: _, ...parameter }: ParameterObject): Part {
  const isList = schema.type === 'array';
  return {
    ...parameter,
    type: 'string',
    ...schemaOf(schema),
    ...(isList && { collectionFormat: 'multi' }),
  };
}

function bodyOf({ requestBody }: Operation): Part[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  const { description, required } = requestBody ?? {};
  return [{ name: 'body', in: 'body', description, required, schema: schemaOf(schema) }];
}

const headerOf = ({ schema, ...header }: HeaderObject): Part => ({ ...header, ...schemaOf(schema) });

function responseOf({ headers }: OpenApiDocument['components'], response: ResponseObject | Reference): Part {
  if ('$ref' in response) return { $ref: response.$ref.replace('#/components/responses/', '#/responses/') };
  const schema = response.content?.['application/json']?.schema;
  const own = Object.keys(response.headers ?? {});
  const described = Object.entries(headers).filter(([name]) => own.includes(name));
  return {
    description: response.description,
    ...(described.length > 0 && { headers: mapValues(Object.fromEntries(described), headerOf) }),
    ...(schema && { schema: schemaOf(schema) }),
  };
}

/** The media types of the answers, where they are others than those of the whole document. */
function producedBy(responses: Operation['responses']): Part {
  const types = Object.values(responses).flatMap((response) =>
    '$ref' in response ? [] : Object.keys(response.content ?? {}),
  );
  return types.length === 0 || types.every((type) => usual.includes(type)) ? {} : { produces: types };
}

function operationOf(components: OpenApiDocument['components'], operation: Operation): Part {
  const { parameters = [], requestBody: _, responses, ...rest } = operation;
  const all = [...parameters.map(parameterOf), ...bodyOf(operation)];
  return {
    ...rest,
    ...producedBy(responses),
    ...(all.length > 0 && { parameters: all }),
    responses: mapValues(responses, (response) => responseOf(components, response)),
  };
}

function securityOf({ scheme, ...definition }: SecurityScheme): Part {
  return scheme === 'basic' ? { ...definition, type: 'basic' } : definition;
}

/** The same as a Swagger 2.0 document, which older tools read. */
export function buildSwagger(routes: readonly RouteContract[], about: About): SwaggerDocument {
  const { info, tags, paths, components } = buildOpenApi(routes, about);
  const { api_access_key: _, ...others } = components.securitySchemes;
  return {
    swagger: '2.0',
    // Licences had no identifiers then.
    info: { ...info, license: { name: info.license.name } },
    basePath: '/api',
    consumes: usual,
    produces: usual,
    tags,
    paths: mapValues(paths, (item) => mapValues(item, (operation) => operationOf(components, operation))),
    definitions: mapValues(components.schemas, schemaOf),
    responses: mapValues(components.responses, (response) => responseOf(components, response)),
    securityDefinitions: {
      // Exactly what existing clients find here.
      api_access_key: { type: 'apiKey', in: 'header', name: 'X-Auth-AccessKey' },
      ...mapValues(others, securityOf),
    },
  };
}
