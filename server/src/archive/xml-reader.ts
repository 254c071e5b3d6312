import { SaxesParser } from 'saxes';
import type { XmlElement } from '../kernel/xml.ts';
import { archiveFault } from './model.ts';

/** The beginning of an element whose content is still to be read. */
export type XmlStart = Pick<XmlElement, 'name' | 'attributes' | 'line'>;

type Event = XmlStart | string | undefined;
/** Stands in the queue for the end of an element. */
const endOfElement = undefined;

const deepest = 100;

/** What a document may have. */
export interface XmlLimits {
  /** All its elements. */
  readonly elements: number;
  /** Characters of any one text or attribute. */
  readonly text: number;
}

/** For documents that this platform wrote itself. */
const ownLimits: XmlLimits = { elements: Number.POSITIVE_INFINITY, text: 64 * 1024 * 1024 };

/** Room in memory for elements that are held whole; what is held takes from it. */
export class XmlRoom {
  #elements: number;
  #characters: number;

  constructor(elements = 1_000_000, characters = 64 * 1024 * 1024) {
    this.#elements = elements;
    this.#characters = characters;
  }

  /** Whether there was room for one more element with so many characters. */
  take(characters: number): boolean {
    this.#elements--;
    this.#characters -= characters;
    return this.#elements >= 0 && this.#characters >= 0;
  }
}

interface Growing {
  readonly start: XmlStart;
  readonly children: XmlElement[];
  text: string;
}

/** Characters that may come with the end of a text: what is read of a document at once, and a tag. */
const chunkLength = 128 * 1024;

/** White space between elements means nothing. */
const grown = ({ start, children, text }: Growing): XmlElement => ({
  name: start.name,
  attributes: start.attributes,
  children,
  text: children.length > 0 && text.trim() === '' ? '' : text,
  line: start.line,
});

/** Characters that an element holds beside its children. */
function sizeOf({ attributes, text }: XmlElement): number {
  let characters = text.length;
  for (const name in attributes) characters += name.length + (attributes[name]?.length ?? 0);
  return characters;
}

/**
 * Reads a document of any length piece by piece. There is no DTD and there are no entities beyond the five of XML, so
 * nothing is ever fetched or multiplied. Faults say file, line and reason.
 */
export class XmlReader {
  readonly #file: string;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #limits: XmlLimits;
  #queue: Event[] = [];
  #at = 0;
  #depth = 0;
  #elements = 0;
  #line = 1;
  /** Characters that went into the parser since something came out of it. */
  #pending = 0;
  #isAtEnd = false;
  #current: XmlStart | undefined;

  constructor(file: string, bytes: AsyncIterable<Uint8Array>, limits = ownLimits) {
    this.#file = file;
    this.#limits = limits;
    this.#chunks = bytes[Symbol.asyncIterator]();
    this.#listen();
  }

  fault(line: number | undefined, reason: string) {
    return archiveFault(this.#file, line, reason);
  }

  #listen(): void {
    const parser = this.#parser;
    const refuse = (reason: string) => {
      throw this.fault(parser.line, reason);
    };
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
        refuse(`The encoding ${encoding} is not read. It must be UTF-8.`);
    });
    parser.on('doctype', () => refuse('A document type is not allowed.'));
    // The parser puts the place in front of its words.
    parser.on('error', ({ message }) => refuse(message.replace(/^\d+:\d+: /, '').slice(0, 200)));
    parser.on('opentagstart', () => {
      this.#line = parser.line;
    });
    parser.on('opentag', ({ name, attributes }) => this.#begin(name, attributes));
    parser.on('text', (text) => this.#queue.push(text));
    parser.on('cdata', (text) => this.#queue.push(text));
    parser.on('closetag', () => this.#queue.push(endOfElement));
    // Nobody reads these; but what went by is no longer held.
    const passOver = () => {
      this.#pending = 0;
    };
    parser.on('comment', passOver);
    parser.on('processinginstruction', passOver);
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#elements > this.#limits.elements)
      throw this.fault(this.#line, `There are more than ${this.#limits.elements} elements.`);
    for (const value of Object.values(attributes)) this.#checkLength(value.length);
    this.#queue.push({ name, attributes: { ...attributes }, line: this.#line });
  }

  #checkLength(characters: number): void {
    const { text } = this.#limits;
    if (characters > text) throw this.fault(this.#parser.line, `A text has more than ${text} characters.`);
  }

  /** Parses until there is something in the queue. */
  async #fill(): Promise<void> {
    this.#queue = [];
    this.#at = 0;
    while (this.#queue.length === 0) {
      if (this.#isAtEnd) throw this.fault(this.#parser.line, 'It ends too early.');
      await this.#read();
    }
    this.#pending = 0;
  }

  async #read(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    this.#isAtEnd = done === true;
    this.#feed(done === true ? undefined : value);
  }

  #feed(bytes: Uint8Array | undefined): void {
    let text: string;
    try {
      text = bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw this.fault(this.#parser.line, 'It is not UTF-8.');
    }
    this.#pending += text.length;
    this.#checkLength(this.#pending - chunkLength);
    if (text !== '') this.#parser.write(text);
    if (bytes === undefined) this.#parser.close();
  }

  async #next(): Promise<Event> {
    if (this.#at === this.#queue.length) await this.#fill();
    return this.#queue[this.#at++];
  }

  /** One element fewer is open. What follows the last one is read as well: only there it shows whether the document is whole. */
  async #leave(): Promise<void> {
    this.#depth--;
    while (this.#depth === 0 && !this.#isAtEnd) await this.#read();
  }

  #enter(start: XmlStart): XmlStart {
    this.#depth++;
    if (this.#depth > deepest) throw this.fault(start.line, `Elements are nested more than ${deepest} deep.`);
    this.#current = start;
    return start;
  }

  /** The element that everything else is in. */
  async root(): Promise<XmlStart> {
    for (;;) {
      const event = await this.#next();
      if (typeof event === 'object') return this.#enter(event);
    }
  }

  /** Leaves what has begun until only so many elements are open. */
  async #leaveDownTo(depth: number): Promise<void> {
    while (this.#depth > depth) {
      const event = await this.#next();
      if (event === endOfElement) await this.#leave();
      else if (typeof event === 'object') this.#enter(event);
    }
  }

  /**
   * The elements in the one that began last, as they begin. Of each, whoever asked reads the children or the whole;
   * what is left of it then is passed over.
   */
  async *children(): AsyncGenerator<XmlStart> {
    const depth = this.#depth;
    for (;;) {
      const event = await this.#next();
      if (event === endOfElement) break;
      if (typeof event === 'string') continue;
      yield this.#enter(event);
      await this.#leaveDownTo(depth);
    }
    await this.#leave();
  }

  /** The element that began last, with all that is in it, as long as there is room for it. */
  async whole(room = new XmlRoom()): Promise<XmlElement> {
    const start = this.#current;
    if (start === undefined) throw new Error('No element has begun.');
    const open: Growing[] = [{ start, children: [], text: '' }];
    for (;;) {
      const event = this.#at < this.#queue.length ? this.#queue[this.#at++] : await this.#next();
      const last = open.at(-1);
      if (last === undefined) throw new Error('The element ended twice.');
      if (typeof event === 'string') {
        last.text += event;
        this.#checkLength(last.text.length);
      } else if (event !== endOfElement) open.push({ start: this.#enter(event), children: [], text: '' });
      else {
        open.pop();
        // Most elements end inside others: these wait for nothing.
        if (this.#depth === 1) await this.#leave();
        else this.#depth--;
        const element = grown(last);
        const parent = open.at(-1);
        if (!room.take(sizeOf(element))) throw this.fault(start.line, `${start.name} is far too large.`);
        if (parent === undefined) return element;
        parent.children.push(element);
      }
    }
  }
}
