import type { RouteContract } from '@atelier/contract';
import type { TSchema } from '@bundled/typebox';
import { invalid } from '../../kernel/errors.ts';
import { isStorable } from '../../kernel/text.ts';
import { booleanIn, isObject, numberIn, scalarText } from '../../kernel/values.ts';
import { idInXml } from '../../kernel/xml-text.ts';

/** The parts of JSON Schema that the contract uses, as far as binding looks at them. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Shape;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-untrimmed'?: boolean;
  readonly 'x-mayBeEmpty'?: boolean;
  /** Its choices, which are in small letters, are taken in any. */
  readonly 'x-anyCase'?: boolean;
  /** Its members are called by ids. */
  readonly 'x-byId'?: boolean;
}

const wrong = (name: string, detail: string) => invalid(`Invalid value specified for \`${name}\`. ${detail}`);

function bindString(shape: Shape, value: unknown, name: string): string {
  const text = scalarText(value);
  if (text === undefined) throw wrong(name, 'Expecting text');
  if (!isStorable(text))
    throw wrong(name, 'It contains a character that text cannot have (NUL or half a pair)');
  const bound = shape['x-untrimmed'] ? text : text.trim();
  if (shape.pattern !== undefined && !new RegExp(shape.pattern, 'u').test(bound))
    throw wrong(name, `It must have the form ${shape.pattern}`);
  return bound;
}

export function checkBounds(schema: TSchema, value: number, name: string): number {
  const { minimum, maximum } = schema as Shape;
  if (minimum !== undefined && value < minimum) throw wrong(name, `Minimum required value is ${minimum}.`);
  if (maximum !== undefined && value > maximum) throw wrong(name, `Maximum allowed value is ${maximum}.`);
  return value;
}

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const longestNumber = 400;

function bindNumber(shape: Shape, value: unknown, name: string, expecting: string): number {
  const isNumeric =
    typeof value === 'number' ||
    (typeof value === 'string' && value.length <= longestNumber && numeric.test(value.trim()));
  const number = numberIn(value);
  if (!isNumeric || !Number.isFinite(number)) throw wrong(name, expecting);
  return checkBounds(shape, number, name);
}

/** A number beyond all that ids can be names nothing, and lies behind the end of every list, as the largest of them does. */
export const withinIds = (number: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));

function bindInteger(shape: Shape, value: unknown, name: string): number {
  const number = bindNumber({}, value, name, 'Expecting integer value');
  if (!Number.isInteger(number)) throw wrong(name, 'Expecting integer value');
  return checkBounds(shape, withinIds(number), name);
}

function bindBoolean(value: unknown, name: string): boolean {
  const boolean = booleanIn(value);
  if (boolean === undefined) throw wrong(name, 'Expecting boolean value');
  return boolean;
}

function bindChoice({ enum: values = [], ...shape }: Shape, value: unknown, name: string): unknown {
  const written = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
  const text = shape['x-anyCase'] ? written?.toLowerCase() : written;
  const found = values.find((candidate) => String(candidate) === text);
  if (found === undefined) throw wrong(name, `Expected one of (${values.join(',')}).`);
  return found;
}

function bindArray({ items = {}, minItems, maxItems }: Shape, value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(name, 'Expecting an array');
  if (minItems !== undefined && value.length < minItems)
    throw wrong(name, `Minimum ${minItems} items required.`);
  if (maxItems !== undefined && value.length > maxItems)
    throw wrong(name, `Maximum ${maxItems} items allowed.`);
  return value.map((item, index) => {
    const itemName = `${name}[${index}]`;
    if (item === null || item === undefined) throw wrong(itemName, 'It is empty');
    return bindValue(items, item, itemName);
  });
}

/** Some clients can only write an empty object as an empty array. */
const isEmptyArray = (value: unknown) => Array.isArray(value) && value.length === 0;

function bindRecord(
  { patternProperties = {}, minProperties = 0, maxProperties }: Shape,
  value: unknown,
  name: string,
): Record<string, unknown> {
  const input = isEmptyArray(value) ? {} : value;
  if (!isObject(input)) throw wrong(name, 'Expecting an object');
  const members = Object.entries(input);
  if (members.length < minProperties)
    throw wrong(name, `Expecting an object with at least ${minProperties} member`);
  if (maxProperties !== undefined && members.length > maxProperties)
    throw wrong(name, `Maximum ${maxProperties} members allowed.`);
  const [shape = {}] = Object.values(patternProperties);
  return Object.fromEntries(
    members.map(([member, item]) => [member, bindValue(shape, item, nested(name, member))]),
  );
}

const nested = (parent: string, member: string) => (parent === '' ? member : `${parent}[${member}]`);

function bindUnion(shapes: readonly Shape[], value: unknown, name: string): unknown {
  if (value === null && shapes.some(({ type }) => type === 'null')) return null;
  const candidates = shapes.filter(({ type }) => type !== 'null');
  let fault: unknown;
  for (const shape of candidates) {
    try {
      return bindValue(shape, value, name);
    } catch (error) {
      // Another one may fit; the first one's fault is what is told.
      fault ??= error;
    }
  }
  throw fault ?? wrong(name, 'It cannot have a value');
}

function bindValue(shape: Shape, value: unknown, name: string): unknown {
  if (shape.enum !== undefined) return bindChoice(shape, value, name);
  if (shape.anyOf !== undefined) return bindUnion(shape.anyOf, value, name);
  if (shape.patternProperties !== undefined) return bindRecord(shape, value, name);
  switch (shape.type) {
    case 'string':
      return bindString(shape, value, name);
    case 'integer':
      return bindInteger(shape, value, name);
    case 'number':
      return bindNumber(shape, value, name, 'Expecting numeric value');
    case 'boolean':
      return bindBoolean(value, name);
    case 'array':
      return bindArray(shape, value, name);
    case 'object':
      return bindObject(shape, isEmptyArray(value) ? {} : value, name);
    default:
      return value;
  }
}

const takesNull = ({ anyOf }: Shape) => anyOf?.some(({ type }) => type === 'null') ?? false;
const isScalar = ({ type, anyOf, enum: values }: Shape): boolean =>
  values !== undefined ||
  anyOf?.some(isScalar) ||
  ['string', 'integer', 'number', 'boolean'].includes(type ?? '');

/** An empty text is no value for a choice, a number or a boolean, nor for a required text. */
function isAbsent(shape: Shape, value: unknown, isRequired: boolean): boolean {
  if (value === undefined) return true;
  if (value === null) return !takesNull(shape);
  if (typeof value !== 'string' || value.trim() !== '') return false;
  if (shape.type === 'string')
    return isRequired && !shape['x-mayBeEmpty'] && (!shape['x-untrimmed'] || value === '');
  return isScalar(shape);
}

/** Where a member that nobody knows would be passed over without a word, though it is all that was asked for. */
function refuseUnknown({ properties = {} }: Shape, value: Readonly<Record<string, unknown>>, name: string) {
  const known = Object.keys(properties);
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown !== undefined)
    throw wrong(nested(name, unknown), `There is no such member: expected are ${known.join(', ')}.`);
}

function bindObject(shape: Shape, value: unknown, name: string): Record<string, unknown> {
  if (!isObject(value)) throw wrong(name === '' ? 'body' : name, 'Expecting an object');
  if (shape.additionalProperties === false) refuseUnknown(shape, value, name);
  const bound: Record<string, unknown> = {};
  for (const [member, memberShape] of Object.entries(shape.properties ?? {})) {
    const input = Object.hasOwn(value, member) ? value[member] : undefined;
    const isRequired = shape.required?.includes(member) ?? false;
    const memberName = nested(name, member);
    if (!isAbsent(memberShape, input, isRequired)) bound[member] = bindValue(memberShape, input, memberName);
    else if (isRequired) throw invalid(`\`${memberName}\` is required.`);
  }
  return bound;
}

type QueryValues = Readonly<Record<string, unknown>>;

const ownValue = (values: QueryValues, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** The parameters that are written as parts of a list or an object of that name: `name[]`, `name[0]`, `name[key]`. */
const partsOf = (values: QueryValues, name: string): string[] =>
  Object.keys(values).filter((written) => written.startsWith(`${name}[`));

const isItem = (name: string, written: string) => /^\[\d*\]$/.test(written.slice(name.length));

/** Lists come as one parameter or several, under their name alone or followed by `[]` or `[0]`; ids and choices also with commas. */
function queryList(values: QueryValues, name: string, { type, enum: choices }: Shape): unknown[] | undefined {
  const written = partsOf(values, name);
  if (!written.every((part) => isItem(name, part))) throw wrong(name, 'Expecting an array');
  const input = [name, ...written].flatMap((part) => ownValue(values, part) ?? []);
  const hasNoCommas = type === 'integer' || choices !== undefined;
  const parts = hasNoCommas ? input.flatMap((part) => String(part).split(',')) : input;
  const items = parts.filter((item) => item !== '');
  return items.length === 0 ? undefined : items;
}

/** A repeated parameter counts once, an empty one as absent. */
function queryValue(values: QueryValues, name: string): unknown {
  if (partsOf(values, name).length > 0) throw wrong(name, 'Expecting one value');
  const input = ownValue(values, name);
  const value = Array.isArray(input) ? input.at(-1) : input;
  return value === '' ? undefined : value;
}

export function bindQuery(schema: TSchema, values: QueryValues): Record<string, unknown> {
  const shape = schema as Shape;
  const input = Object.entries(shape.properties ?? {}).map(([name, { type, items = {} }]) => [
    name,
    type === 'array' ? queryList(values, name, items) : queryValue(values, name),
  ]);
  return bindObject(shape, Object.fromEntries(input), '');
}

/** Clients may send the whole body bare, or wrapped in a member named after the argument. */
function unwrap(shape: Shape, body: unknown, argument: string | undefined): { value: unknown; name: string } {
  if (argument === undefined || !isObject(body)) return { value: body, name: '' };
  const isMember = shape.properties !== undefined && Object.hasOwn(shape.properties, argument);
  if (isMember || !Object.hasOwn(body, argument)) return { value: body, name: '' };
  return { value: body[argument] ?? (shape.type === 'array' ? null : {}), name: argument };
}

/** Some clients send the only thing that a route takes as the whole body, others as the member that it is. */
export function withBareMember({ body: schema, bareMember }: RouteContract, body: unknown): unknown {
  if (bareMember === undefined || !isObject(body) || Object.hasOwn(body, bareMember)) return body;
  const { properties = {} } = (schema as Shape).properties?.[bareMember] ?? {};
  return Object.keys(properties).some((name) => Object.hasOwn(body, name)) ? { [bareMember]: body } : body;
}

/** Scalar members that the body lacks may come from the query string. */
function withQuery(shape: Shape, value: unknown, query: QueryValues): unknown {
  if (shape.properties === undefined || !isObject(value)) return value;
  // Members that the shape does not know are not looked at, however many there are.
  const known = Object.entries(shape.properties).flatMap(([name, member]) => {
    if (Object.hasOwn(value, name)) return [[name, value[name]]];
    return isScalar(member) ? [[name, queryValue(query, name)]] : [];
  });
  return Object.fromEntries(known);
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

const isNothing = (value: unknown) => isBlank(value) || (isObject(value) && Object.keys(value).length === 0);

/**
 * What XML cannot tell of itself, told by the contract. It writes an empty list, an empty text and nothing at all in the
 * same way: where a member must be there, its empty element is the empty list or text; everywhere else it stays null.
 */
export function asMeantByXml(schema: TSchema, argument: string | undefined, body: unknown): unknown {
  const { value, name } = unwrap(schema as Shape, body, argument);
  // The root names no member: with nothing in it, nothing was sent.
  if (name === '' && isNothing(value)) return {};
  const filled = fillEmpty(schema as Shape, value, true);
  return name === '' ? filled : { [name]: filled };
}

/** Where members have any names, `item` is one of them. */
function withItemAsMember(value: unknown): unknown {
  const item = Array.isArray(value) ? value : isObject(value) ? value['item'] : undefined;
  if (!Array.isArray(item) || item.length !== 1) return value;
  return { ...(isObject(value) ? value : {}), item: item[0] };
}

function withIdsAsNames(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [idInXml(name), member]));
}

/** The shape of what may also be null, once there is something. */
function beyondNull(shape: Shape, value: unknown): Shape {
  const [only, ...more] = shape.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return only === undefined || more.length > 0 || isBlank(value) ? shape : only;
}

const ownShape = (shapes: Readonly<Record<string, Shape>> = {}, name: string): Shape =>
  Object.hasOwn(shapes, name) ? (shapes[name] ?? {}) : {};

function fillEmpty(input: Shape, value: unknown, isRequired: boolean): unknown {
  const shape = beyondNull(input, value);
  if (shape['x-byId']) return withIdsAsNames(value);
  if (shape.patternProperties !== undefined) return withItemAsMember(value);
  if (shape.type === 'array' && isRequired && isNothing(value)) return [];
  if (shape['x-mayBeEmpty'] && isRequired && isNothing(value)) return '';
  if (Array.isArray(value)) return value.map((item) => fillEmpty(shape.items ?? {}, item, true));
  if (!isObject(value) || shape.properties === undefined) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const memberShape = ownShape(shape.properties, name);
    return [name, fillEmpty(memberShape, member, shape.required?.includes(name) ?? false)];
  });
  return Object.fromEntries(members);
}

export function bindBody(
  schema: TSchema,
  body: unknown,
  argument: string | undefined,
  query: QueryValues,
): unknown {
  const shape = schema as Shape;
  const { value, name } = unwrap(shape, body, argument);
  if (
    shape.type === 'array' &&
    (value === undefined || (isObject(value) && Object.keys(value).length === 0))
  ) {
    throw invalid(`\`${argument ?? 'body'}\` is required.`);
  }
  const empty = shape.type === 'object' && isEmptyArray(value) ? {} : value;
  return bindValue(
    shape,
    withQuery(shape, empty, query),
    name === '' && shape.type === 'array' ? (argument ?? 'body') : name,
  );
}
