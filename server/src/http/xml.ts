import { SaxesParser } from 'saxes';
import { invalid } from '../kernel/errors.ts';
import { escapeXml } from '../kernel/xml.ts';
import { xmlName } from '../kernel/xml-text.ts';
import type { Steps } from './slices.ts';

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

/** Writes a JSON value as an XML answer: `item` around every array element, scalars too. */
export function toXml(value: unknown): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('response', contentOf(value))}`;
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

function countReferences(part: string): number {
  let count = 0;
  for (let at = part.indexOf('&'); at !== -1; at = part.indexOf('&', at + 1)) count++;
  return count;
}

/** Counts what a document is made of, and refuses it when that is too much. */
export class NodeCount {
  #nodes = 0;
  #attributesOfTag = 0;

  add(): void {
    if (++this.#nodes > mostNodes)
      throw malformed(`There are more than ${mostNodes} elements and attributes.`);
  }

  /** Counts all but marked texts. */
  watch(parser: SaxesParser): void {
    parser.on('comment', () => this.add());
    parser.on('processinginstruction', () => this.add());
    parser.on('opentagstart', () => {
      this.#attributesOfTag = 0;
      this.add();
    });
    parser.on('attribute', () => {
      this.add();
      if (++this.#attributesOfTag > mostAttributes)
        throw malformed(`An element has more than ${mostAttributes} attributes.`);
    });
  }
}

/** Gives a text to a parser, a little at a time, unless something in it would take it long. */
export function* feedInSteps(parser: SaxesParser, text: string): Steps<void> {
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
    open.push({ name, members: new Map(Object.entries(attributes)), items: undefined, text: '' });
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
