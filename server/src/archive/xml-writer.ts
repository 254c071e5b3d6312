import { escapeAttribute, escapeXml, type XmlElement } from '../kernel/xml.ts';

/** So many characters are gathered before they are handed on. */
const batch = 64 * 1024;

type Start = Pick<XmlElement, 'name' | 'attributes'>;

function startTag({ name, attributes }: Start): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
  return `<${name}${written.join('')}`;
}

/** JSON in which nothing ends the instruction or is no character of XML. */
const instructionText = (value: object) =>
  JSON.stringify(value)
    .replaceAll('?>', '?\\u003e')
    .replaceAll('\ufffe', '\\ufffe')
    .replaceAll('\uffff', '\\uffff');

/**
 * Writes a document of any length. `begin` and `end` stand around what is too long to be held; everything else is an
 * element. Whoever writes much awaits `settle` now and then, which hands on what has gathered.
 */
export class XmlWriter {
  readonly #sink: (part: string) => Promise<void>;
  readonly #open: string[] = [];
  #text = '<?xml version="1.0" encoding="UTF-8"?>\n';

  constructor(sink: (part: string) => Promise<void>) {
    this.#sink = sink;
  }

  begin(name: string, attributes: XmlElement['attributes'] = {}): void {
    this.#text += `${this.#indent()}${startTag({ name, attributes })}>\n`;
    this.#open.push(name);
  }

  end(): void {
    const name = this.#open.pop();
    if (name === undefined) throw new Error('No element has begun.');
    this.#text += `${this.#indent()}</${name}>\n`;
  }

  element(element: XmlElement): void {
    this.#write(element, this.#indent());
  }

  /** A processing instruction, which nobody heeds but whom it is meant for. Its text is JSON. */
  instruction(target: string, value: object): void {
    this.#text += `<?${target} ${instructionText(value)}?>\n`;
  }

  #indent(): string {
    return '  '.repeat(this.#open.length);
  }

  #write({ name, attributes, children, text }: XmlElement, indent: string): void {
    const start = `${indent}${startTag({ name, attributes })}`;
    if (children.length > 0) {
      this.#text += `${start}>\n`;
      for (const child of children) this.#write(child, `${indent}  `);
      this.#text += `${indent}</${name}>\n`;
    } else {
      this.#text += text === '' ? `${start}/>\n` : `${start}>${escapeXml(text)}</${name}>\n`;
    }
  }

  async settle(): Promise<void> {
    if (this.#text.length >= batch) await this.#handOn();
  }

  async finish(): Promise<void> {
    if (this.#open.length > 0) throw new Error(`The element ${this.#open.at(-1)} was not ended.`);
    await this.#handOn();
  }

  async #handOn(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#sink(text);
  }
}
