import { xmlText } from './xml-text.ts';

/** An XML element that is held whole: small by the rules of whoever reads or writes it. Plain data. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
  /** The line on which it begins; 0 for one that is still to be written. */
  readonly line: number;
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Flags are written as 0 and 1. */
const written = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? '1' : '0') : String(value);

/** An element to be written; attributes that are undefined are left out. */
export function element(
  name: string,
  attributes: Attributes = {},
  content: string | readonly XmlElement[] = '',
): XmlElement {
  const entries = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, written(value)] as const],
  );
  const parts =
    typeof content === 'string' ? { text: content, children: [] } : { text: '', children: content };
  return { name, attributes: Object.fromEntries(entries), ...parts, line: 0 };
}

export const attributeOf = ({ attributes }: XmlElement, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

export const childrenOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name);

export const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name);

/** The elements of a list: `item` in `items`. */
export const listedIn = (parent: XmlElement, list: string, item: string): readonly XmlElement[] =>
  childrenOf(parent, list).flatMap((found) => childrenOf(found, item));

/** The text of a child; empty when there is none. */
export const textOf = (parent: XmlElement, child: string): string => childOf(parent, child)?.text ?? '';

/** `1` and `true`; whatever else is written means no, and nothing at all the default. */
export function isTrue(text: string | undefined, byDefault = false): boolean {
  const word = text?.trim().toLowerCase();
  return word === undefined ? byDefault : word === '1' || word === 'true';
}

const special = /[&<>"\r]/g;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

export const escapeXml = (text: string) =>
  xmlText(text).replace(special, (character) => escapes[character] ?? character);

/** Readers make plain blanks of line ends and tabs in attributes, unless they are escaped. */
export const escapeAttribute = (text: string) =>
  escapeXml(text).replace(/[\n\t]/g, (character) => escapes[character] ?? character);
