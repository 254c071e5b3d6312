import { decodeHTML } from 'entities/lib/decode.js';
import { elementNamed } from './elements.ts';
import { type Attributes, type MarkupReader, scan } from './scan.ts';

const endsLine = (name: string) =>
  elementNamed(name)?.isBlock || name === 'br' || name === 'tr' || name === 'caption';

/** Gathers words as a browser would show them: a line for each block, single spaces elsewhere. */
class Words implements MarkupReader {
  #words = '';
  /** What goes before the next word. */
  #gap: '' | ' ' | '\n' = '';
  #isPreformatted = false;

  text(source: string): void {
    const text = decodeHTML(source);
    if (this.#isPreformatted) return this.#add(text.replace(/\n$/, ''));
    const words = text.replace(/[\t\n\f\r ]+/g, ' ');
    if (words.startsWith(' ')) this.#leave(' ');
    this.#add(words.slice(Number(words.startsWith(' ')), words.endsWith(' ') ? -1 : undefined));
    if (words.endsWith(' ')) this.#leave(' ');
  }

  open(name: string, attributes: Attributes): void {
    if (endsLine(name)) this.#leave('\n');
    else if (name === 'td' || name === 'th') this.#leave(' ');
    else if (name === 'img') this.text(attributes.get('alt') ?? '');
    if (name === 'pre') this.#isPreformatted = true;
  }

  close(name: string): void {
    if (name === 'pre') this.#isPreformatted = false;
    if (endsLine(name)) this.#leave('\n');
  }

  toString(): string {
    return this.#words;
  }

  #add(words: string): void {
    if (words === '') return;
    this.#words += this.#words === '' ? words : this.#gap + words;
    this.#gap = '';
  }

  #leave(gap: ' ' | '\n'): void {
    if (this.#gap !== '\n') this.#gap = gap;
  }
}

/** The words of sanitised HTML. */
export function wordsOf(html: string): string {
  const words = new Words();
  scan(html, words, { skipsRawText: true });
  return words.toString();
}
