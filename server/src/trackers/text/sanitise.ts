import { decodeHTML } from 'entities/lib/decode.js';
import { writeAttributes } from './attributes.ts';
import { Draft, escapeText, type TextOptions, writeText } from './draft.ts';
import { type Element, elementNamed } from './elements.ts';
import { type Attributes, type MarkupReader, scan } from './scan.ts';

export interface SanitiseOptions {
  /** Whether a tag that is not allowed is shown as it was written; if not it goes, with what only browsers read. */
  readonly showsUnknownTags: boolean;
  readonly linksAddresses: boolean;
  /** Whether `@login` may become a link. */
  readonly linksMentions: boolean;
}

/** Tags nested deeper go, their text stays. */
const deepest = 100;

type Test = (element: Element) => boolean;
const isWall: Test = ({ isWall }) => isWall;
const isListWall: Test = ({ isListWall }) => isListWall;
const isTable: Test = ({ name }) => name === 'table';
const isLink: Test = ({ name }) => name === 'a';
const isParagraph: Test = ({ name }) => name === 'p';
const isItem: Test = ({ name }) => name === 'li';
const isTerm: Test = ({ name }) => name === 'dt' || name === 'dd';
const never: Test = () => false;

/** What an end tag must not be looked for beyond. */
function limitOf(element: Element): Test {
  if (isTable(element)) return never;
  if (element.isTablePart) return isTable;
  return isItem(element) || isTerm(element) ? isListWall : isWall;
}

/**
 * Writes HTML anew: elements and attributes from a list, each closed in its place, everything else escaped. So it does
 * not matter how cleverly the source was written, only what comes out, and that has one meaning in every browser.
 */
class Sanitiser implements MarkupReader {
  readonly #draft = new Draft();
  readonly #showsUnknownTags: boolean;
  readonly #textOptions: TextOptions;
  readonly #open: Element[] = [];
  #text = '';
  #quiet = 0;

  constructor({ showsUnknownTags, linksAddresses, linksMentions }: SanitiseOptions) {
    this.#showsUnknownTags = showsUnknownTags;
    this.#textOptions = { escaped: escapeText, linksAddresses, linksMentions };
  }

  text(source: string): void {
    this.#addText(source.includes('&') ? decodeHTML(source) : source);
  }

  open(name: string, attributes: Attributes, source: string): void {
    const element = elementNamed(name);
    if (element === undefined) return this.#addUnknown(source);
    const written = writeAttributes(element.name, attributes);
    if (written === undefined) return;
    this.#closeBefore(element);
    if (!this.#makePlace(element) || this.#open.length >= deepest) return;
    this.#write(`<${element.name}${written}>`);
    if (!element.isVoid) this.#enter(element);
  }

  close(name: string, source: string): void {
    const element = elementNamed(name);
    if (element === undefined) return this.#addUnknown(source);
    this.#closeNearest((open) => open === element, limitOf(element));
  }

  end(): Draft {
    this.#closeTo(0);
    this.#write('');
    return this.#draft;
  }

  #addUnknown(source: string): void {
    if (this.#showsUnknownTags) this.#addText(source);
  }

  #addText(text: string): void {
    if (this.#open.at(-1)?.isFrame && /[^\t\n\f\r ]/.test(text)) this.#openImplied('td');
    this.#text += text;
  }

  /** Text waits until a tag follows, so that a reference is seen whole. */
  #write(html: string): void {
    if (this.#text !== '') {
      if (this.#quiet > 0) this.#draft.append(escapeText(this.#text));
      else writeText(this.#draft, this.#text, this.#textOptions);
      this.#text = '';
    }
    this.#draft.append(html);
  }

  #enter(element: Element): void {
    this.#open.push(element);
    if (element.isQuiet) this.#quiet++;
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) {
      const element = this.#open.at(-1);
      this.#write(`</${element?.name}>`);
      this.#open.pop();
      if (element?.isQuiet) this.#quiet--;
    }
  }

  /** The place of the nearest such element among the open ones, unless a limit is nearer. */
  #nearest(isWanted: Test, isLimit: Test): number {
    for (let place = this.#open.length - 1; place >= 0; place--) {
      const element = this.#open[place];
      if (element === undefined || isWanted(element)) return place;
      if (isLimit(element)) return -1;
    }
    return -1;
  }

  #closeNearest(isWanted: Test, isLimit: Test): void {
    const place = this.#nearest(isWanted, isLimit);
    if (place !== -1) this.#closeTo(place);
  }

  /** Ends what a browser would end when this element begins. */
  #closeBefore(element: Element): void {
    if (isItem(element)) this.#closeNearest(isItem, isListWall);
    else if (isTerm(element)) this.#closeNearest(isTerm, isListWall);
    else if (isLink(element)) this.#closeNearest(isLink, isWall);
    if (element.isBlock) this.#closeNearest(isParagraph, isWall);
    if (element.isHeading && this.#open.at(-1)?.isHeading) this.#closeTo(this.#open.length - 1);
  }

  /** Whether the element may stand here, perhaps within parts of a table that had been left out. */
  #makePlace(element: Element): boolean {
    if (element.isTablePart) return this.#makePlaceInTable(element);
    const parent = this.#open.at(-1);
    if (element.parents !== undefined) return element.parents.includes(parent?.name ?? '');
    if (parent?.isFrame) this.#openImplied('td');
    return true;
  }

  #makePlaceInTable({ parents, impliedParent }: Element): boolean {
    const table = this.#nearest(isTable, never);
    if (table === -1) return false;
    const parent = this.#nearest(({ name }) => parents?.includes(name) ?? false, isTable);
    this.#closeTo((parent === -1 ? table : parent) + 1);
    if (parent === -1 && impliedParent !== undefined) this.#openImplied(impliedParent);
    return true;
  }

  #openImplied(name: string): void {
    const element = elementNamed(name);
    if (element === undefined || !this.#makePlaceInTable(element)) return;
    this.#write(`<${name}>`);
    this.#enter(element);
  }
}

/** HTML that is safe in any page, from any text. */
export function sanitise(html: string, options: SanitiseOptions): Draft {
  const sanitiser = new Sanitiser(options);
  scan(html, sanitiser, { skipsRawText: !options.showsUnknownTags });
  return sanitiser.end();
}
