import { SaxesParser } from 'saxes';
import type { XmlElement } from '../kernel/xml.ts';
import { archiveFault } from './model.ts';

/** The beginning of an element whose content is still to be read. */
export type XmlStart = Pick<XmlElement, 'name' | 'attributes' | 'line'>;

type Event = XmlStart | string | undefined;
/** Stands in the queue for the end of an element. */
const endOfElement = undefined;

const deepest = 100;

/** What one element that is held whole may have. */
const most = { characters: 64 * 1024 * 1024, elements: 1_000_000 };

interface Growing {
  readonly start: XmlStart;
  readonly children: XmlElement[];
  text: string;
}

/** White space between elements means nothing. */
const grown = ({ start, children, text }: Growing): XmlElement => ({
  name: start.name,
  attributes: start.attributes,
  children,
  text: children.length > 0 && text.trim() === '' ? '' : text,
  line: start.line,
});

/**
 * Reads a document of any length piece by piece. There is no DTD and there are no entities beyond the five of XML, so
 * nothing is ever fetched or multiplied. Faults say file, line and reason.
 */
export class XmlReader {
  readonly #file: string;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #parser = new SaxesParser({ xmlns: false });
  #queue: Event[] = [];
  #at = 0;
  #depth = 0;
  #line = 1;
  /** Characters that went into the parser since something came out of it. */
  #pending = 0;
  #isAtEnd = false;
  #current: XmlStart | undefined;

  constructor(file: string, bytes: AsyncIterable<Uint8Array>) {
    this.#file = file;
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
    parser.on('opentag', ({ name, attributes }) => {
      this.#queue.push({ name, attributes: { ...attributes }, line: this.#line });
    });
    parser.on('text', (text) => this.#queue.push(text));
    parser.on('cdata', (text) => this.#queue.push(text));
    parser.on('closetag', () => this.#queue.push(endOfElement));
  }

  /** Parses until there is something in the queue. */
  async #fill(): Promise<void> {
    this.#queue = [];
    this.#at = 0;
    while (this.#queue.length === 0) {
      if (this.#isAtEnd) throw this.fault(this.#parser.line, 'It ends too early.');
      const { done, value } = await this.#chunks.next();
      this.#isAtEnd = done === true;
      this.#feed(done === true ? undefined : value);
    }
    this.#pending = 0;
  }

  #feed(bytes: Uint8Array | undefined): void {
    let text: string;
    try {
      text = bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw this.fault(this.#parser.line, 'It is not UTF-8.');
    }
    this.#pending += text.length;
    if (this.#pending > most.characters) throw this.fault(this.#parser.line, 'A text is far too long.');
    if (text !== '') this.#parser.write(text);
    if (bytes === undefined) this.#parser.close();
  }

  async #next(): Promise<Event> {
    if (this.#at === this.#queue.length) await this.#fill();
    return this.#queue[this.#at++];
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
      if (event === endOfElement) this.#depth--;
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
    this.#depth--;
  }

  /** The element that began last, with all that is in it. */
  async whole(): Promise<XmlElement> {
    const start = this.#current;
    if (start === undefined) throw new Error('No element has begun.');
    const open: Growing[] = [{ start, children: [], text: '' }];
    let characters = 0;
    let elements = 0;
    for (;;) {
      const event = this.#at < this.#queue.length ? this.#queue[this.#at++] : await this.#next();
      const last = open.at(-1);
      if (last === undefined) throw new Error('The element ended twice.');
      if (typeof event === 'string') {
        last.text += event;
        characters += event.length;
      } else if (event !== endOfElement) {
        open.push({ start: this.#enter(event), children: [], text: '' });
        elements++;
      } else {
        open.pop();
        this.#depth--;
        const element = grown(last);
        const parent = open.at(-1);
        if (parent === undefined) return element;
        parent.children.push(element);
      }
      if (characters > most.characters || elements > most.elements)
        throw this.fault(start.line, `The element ${start.name} is far too large.`);
    }
  }
}
