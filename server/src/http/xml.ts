import { SaxesParser } from 'saxes';
import { invalid } from '../kernel/errors.ts';
import { escapeXml } from '../kernel/xml.ts';
import { xmlName } from '../kernel/xml-text.ts';

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
const mostNodes = 100_000;

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

/**
 * Reads an XML request body into the value that the same JSON body would give, all leaves as text. There is no DTD and
 * there are no entities beyond the five of XML, so nothing is ever fetched or multiplied.
 */
export function fromXml(text: string): unknown {
  const open: Open[] = [];
  let result: unknown;
  let nodes = 0;
  const count = () => {
    if (++nodes > mostNodes) throw malformed(`There are more than ${mostNodes} elements and attributes.`);
  };
  const parser = new SaxesParser({ xmlns: false });
  parser.on('doctype', () => {
    throw malformed('A document type is not allowed.');
  });
  parser.on('error', (error) => {
    throw malformed(error.message.slice(0, 200));
  });
  parser.on('attribute', count);
  parser.on('opentag', ({ name, attributes }) => {
    count();
    if (open.length >= deepest) throw malformed(`Elements are nested more than ${deepest} deep.`);
    open.push({ name, members: new Map(Object.entries(attributes)), items: undefined, text: '' });
  });
  parser.on('text', (part) => addText(open, part));
  parser.on('cdata', (part) => addText(open, part));
  parser.on('closetag', () => {
    const child = open.pop();
    const parent = open.at(-1);
    if (child === undefined) return;
    if (parent === undefined) result = openValue(child);
    else close(parent, child);
  });
  parser.write(text).close();
  return result;
}

function addText(open: Open[], part: string): void {
  const current = open.at(-1);
  if (current !== undefined) current.text += part;
}
