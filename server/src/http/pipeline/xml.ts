import { SaxesParser } from 'saxes';
import { invalid } from '../../kernel/errors.ts';
import { escapeXml } from '../../kernel/xml.ts';
import { xmlName } from '../../kernel/xml-text.ts';
import type { Steps } from '../limits/index.ts';

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function contentOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => element('item', contentOf(item))).join('');
  if (typeof value !== 'object') return escapeXml(String(value));
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => element(xmlName(name), contentOf(member)))
    .join('');
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Writes a JSON value as an XML answer: `item` around every array element, scalars too. */
export function toXml(value: unknown): string {
  return `${declaration}${element('response', contentOf(value))}`;
}

/** Something that is being written: a list, or an object with the name of the member that comes next. */
interface Written {
  readonly isList: boolean;
  /** The element that ends with it. */
  readonly name: string;
  member: string | undefined;
}

/** Where a JSON string ends that begins here, behind its last quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    if (end === -1) throw new Error('A part of a JSON text ends inside a string.');
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
}

const bareToken = /[^\s,:[\]{}"]+/y;

/** As `toXml`, for a JSON text that comes in parts, each of which ends between two tokens. */
export class XmlParts {
  readonly #open: Written[] = [];
  #xml = declaration;

  /** The XML of one more part. */
  of(json: string): string {
    for (let at = 0; at < json.length; ) at = this.#token(json, at);
    const xml = this.#xml;
    this.#xml = '';
    return xml;
  }

  #token(json: string, at: number): number {
    const character = json[at];
    if (character === '"') return this.#string(json, at);
    if (character === '{' || character === '[') this.#begin(character === '[');
    else if (character === '}' || character === ']') this.#end();
    else if (character !== ',' && character !== ':') return this.#bare(json, at);
    return at + 1;
  }

  /** What the next value is called; its name is used up with it. */
  #nextName(): string {
    const parent = this.#open.at(-1);
    if (parent === undefined) return 'response';
    if (parent.isList) return 'item';
    const name = parent.member ?? '';
    parent.member = undefined;
    return name;
  }

  #begin(isList: boolean): void {
    const name = this.#nextName();
    this.#xml += `<${name}>`;
    this.#open.push({ isList, name, member: undefined });
  }

  #end(): void {
    this.#xml += `</${this.#open.pop()?.name}>`;
  }

  #string(json: string, start: number): number {
    const end = endOfString(json, start);
    const text: string = JSON.parse(json.slice(start, end));
    const parent = this.#open.at(-1);
    if (parent !== undefined && !parent.isList && parent.member === undefined) parent.member = xmlName(text);
    else this.#xml += element(this.#nextName(), escapeXml(text));
    return end;
  }

  /** A number, a truth value or null. */
  #bare(json: string, start: number): number {
    bareToken.lastIndex = start;
    const token = bareToken.exec(json)?.[0];
    if (token === undefined) return start + 1;
    this.#xml += element(this.#nextName(), contentOf(JSON.parse(token)));
    return start + token.length;
  }
}

const deepest = 100;
/** Elements, attributes, comments, instructions and marked texts. */
const mostNodes = 100_000;
const mostAttributes = 1000;
/** `&lt;` and the like: a text is put together from them one by one. */
const mostReferences = 500_000;
/** Characters of one comment, with which nothing is done. */
const longestComment = 64 * 1024;
/** Characters that are read in one step. */
const stepLength = 8 * 1024;

interface Open {
  readonly name: string;
  readonly members: Map<string, unknown>;
  items: unknown[] | undefined;
  text: string;
}

/** Repeated siblings of one name become an array. */
function addMember({ members }: Open, name: string, value: unknown): void {
  const earlier = members.get(name);
  if (!members.has(name)) members.set(name, value);
  else if (earlier instanceof Repeated) earlier.values.push(value);
  else members.set(name, new Repeated([earlier, value]));
}

class Repeated {
  readonly values: unknown[];
  constructor(values: unknown[]) {
    this.values = values;
  }
}

function openValue({ members, items, text }: Open): unknown {
  if (items !== undefined && members.size === 0) return items;
  const hasText = text.trim() !== '';
  if (members.size === 0 && items === undefined) return text === '' ? null : text;
  const entries = [...members].map(([name, value]) => [
    name,
    value instanceof Repeated ? value.values : value,
  ]);
  return Object.fromEntries([
    ...entries,
    ...(items === undefined ? [] : [['item', items]]),
    ...(hasText ? [['text', text]] : []),
  ]);
}

function close(parent: Open, child: Open): void {
  const value = openValue(child);
  if (child.name !== 'item') return addMember(parent, child.name, value);
  parent.items ??= [];
  parent.items.push(value);
}

function malformed(detail: string) {
  return invalid(`Malformed XML. ${detail}`);
}

const isInMarkedText = (text: string, at: number) =>
  text.lastIndexOf('<![CDATA[', at) > text.lastIndexOf(']]>', at);

/** The parser puts a comment together character by character if need be, and tells of it when it has all of it. */
function refuseLongComments(text: string): void {
  for (let start = text.indexOf('<!--'); start !== -1; ) {
    const found = text.indexOf('-->', start + 4);
    const end = found === -1 ? text.length : found;
    if (end - start > longestComment && !isInMarkedText(text, start))
      throw malformed(`A comment has more than ${longestComment} characters.`);
    start = text.indexOf('<!--', end);
  }
}

/** What may stand before the first element, and how it ends. */
const prolog = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

/** The parser tells of a document type when it has all of it, which takes long where it is long. */
function refuseDocumentType(text: string): void {
  for (let at = 0, nodes = 0; nodes <= mostNodes; nodes++) {
    while (/\s|\uFEFF/.test(text.charAt(at))) at++;
    if (text.startsWith('<!DOCTYPE', at)) throw malformed('A document type is not allowed.');
    const node = prolog.find(([begin]) => text.startsWith(begin, at));
    const end = node === undefined ? -1 : text.indexOf(node[1], at);
    if (node === undefined || end === -1) return;
    at = end + node[1].length;
  }
}

function countReferences(part: string): number {
  let count = 0;
  for (let at = part.indexOf('&'); at !== -1; at = part.indexOf('&', at + 1)) count++;
  return count;
}

/** What else is to be known of each element and attribute that is counted. */
interface NodeListener {
  tag?(name: string): void;
  attribute?(name: string, value: string): void;
}

/** Counts what a document is made of, and refuses it when that is too much. */
export class NodeCount {
  most: number;
  readonly #mostAttributes: number;
  #nodes = 0;
  #attributesOfTag = 0;

  constructor(most = mostNodes, attributes = mostAttributes) {
    this.most = most;
    this.#mostAttributes = attributes;
  }

  add(): void {
    if (++this.#nodes > this.most)
      throw malformed(`There are more than ${this.most} elements and attributes.`);
  }

  /** Counts all but marked texts. */
  watch(parser: SaxesParser, listener: NodeListener = {}): void {
    parser.on('comment', () => this.add());
    parser.on('processinginstruction', () => this.add());
    parser.on('opentagstart', ({ name }) => {
      this.#attributesOfTag = 0;
      listener.tag?.(name);
      this.add();
    });
    parser.on('attribute', ({ name, value }) => {
      this.add();
      if (++this.#attributesOfTag > this.#mostAttributes)
        throw malformed(`An element has more than ${this.#mostAttributes} attributes.`);
      listener.attribute?.(name, value);
    });
  }
}

/** Gives a text to a parser, a little at a time, unless something in it would take it long. */
export function* feedInSteps(parser: SaxesParser, text: string): Steps<void> {
  refuseDocumentType(text);
  refuseLongComments(text);
  let references = 0;
  for (let start = 0; start < text.length; start += stepLength) {
    const part = text.slice(start, start + stepLength);
    references += countReferences(part);
    if (references > mostReferences) throw malformed(`There are more than ${mostReferences} references.`);
    parser.write(part);
    yield;
  }
  parser.close();
}

/** No member has a colon in its name: what stands before one is a namespace, and whichever it is does not matter. */
const localName = (name: string) => name.slice(name.lastIndexOf(':') + 1);

/** What serializers say about the XML itself, such as `xmlns`, `xsi:type`, `xsi:nil` and `xml:space`, is no member. */
const isAboutXml = (name: string) => name === 'xmlns' || name.includes(':');

const membersOf = (attributes: Readonly<Record<string, string>>) =>
  new Map<string, unknown>(Object.entries(attributes).filter(([name]) => !isAboutXml(name)));

/**
 * Reads an XML request body into the value that the same JSON body would give, all leaves as text. There is no DTD and
 * there are no entities beyond the five of XML, so nothing is ever fetched or multiplied.
 */
export function* xmlInSteps(text: string): Steps<unknown> {
  const open: Open[] = [];
  let result: unknown;
  const nodes = new NodeCount();
  const parser = new SaxesParser({ xmlns: false });
  parser.on('doctype', () => {
    throw malformed('A document type is not allowed.');
  });
  parser.on('error', (error) => {
    throw malformed(error.message.slice(0, 200));
  });
  nodes.watch(parser);
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= deepest) throw malformed(`Elements are nested more than ${deepest} deep.`);
    open.push({ name: localName(name), members: membersOf(attributes), items: undefined, text: '' });
  });
  parser.on('text', (part) => addText(open, part));
  parser.on('cdata', (part) => {
    nodes.add();
    addText(open, part);
  });
  parser.on('closetag', () => {
    const child = open.pop();
    const parent = open.at(-1);
    if (child === undefined) return;
    if (parent === undefined) result = openValue(child);
    else close(parent, child);
  });
  yield* feedInSteps(parser, text);
  return result;
}

function addText(open: Open[], part: string): void {
  const current = open.at(-1);
  if (current !== undefined) current.text += part;
}
