import { findReferenceCandidates, type ReferenceCandidate } from '../../projects/index.ts';

/** Where a reference leads, as the address of the link to make; undefined when it is no reference at all. */
export type ReferenceResolver = (candidate: ReferenceCandidate) => string | undefined;

/** Where the page of somebody who is mentioned is; undefined where the words are no mention. */
export type MentionResolver = (login: string) => string | undefined;

const characters: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};
const escapeCharacter = (character: string) => characters[character] ?? character;

/** For a text between tags. */
export const escapeText = (text: string) =>
  /[&<>]/.test(text) ? text.replace(/[&<>]/g, escapeCharacter) : text;
/** For a text that may also stand in an attribute. */
export const escapeAll = (text: string) =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, escapeCharacter) : text;

/** Pages that a link leads to outside learn nothing of the page it stands on, and get no hold of its window. */
export const outwardRel = 'noreferrer noopener';

/** Texts that name more are lists made to cost something; the rest of their references stay text. */
const mostReferences = 1000;

/** Texts that name more people are made to bother them; the rest of the names stay text. */
const mostMentions = 50;

type Gap = { readonly reference: ReferenceCandidate } | { readonly login: string };

/** HTML with gaps where references and mentions stand, until it is known where they lead. */
export class Draft {
  readonly candidates: ReferenceCandidate[] = [];
  /** User names behind an `@`. */
  readonly logins: string[] = [];
  readonly #gaps: Gap[] = [];
  /** What stands before each gap. */
  readonly #before: string[] = [];
  #rest = '';

  append(html: string): void {
    this.#rest += html;
  }

  #leaveGap(gap: Gap): void {
    this.#gaps.push(gap);
    this.#before.push(this.#rest);
    this.#rest = '';
  }

  appendCandidate(candidate: ReferenceCandidate): void {
    this.candidates.push(candidate);
    this.#leaveGap({ reference: candidate });
  }

  appendMention(login: string): void {
    this.logins.push(login);
    this.#leaveGap({ login });
  }

  finish(resolve: ReferenceResolver, resolveMention: MentionResolver = () => undefined): string {
    let html = '';
    for (const [index, gap] of this.#gaps.entries()) {
      const filled =
        'login' in gap
          ? finishMention(gap.login, resolveMention(gap.login))
          : finishCandidate(gap.reference, resolve(gap.reference));
      html += (this.#before[index] ?? '') + filled;
    }
    return html + this.#rest;
  }
}

function finishMention(login: string, href: string | undefined): string {
  if (href === undefined) return escapeText(`@${login}`);
  return `<a href="${escapeAll(href)}" class="mention">@${escapeText(login)}</a>`;
}

function finishCandidate({ text }: ReferenceCandidate, href: string | undefined): string {
  if (href === undefined) return escapeText(text);
  return `<a href="${escapeAll(href)}" class="cross-reference">${escapeText(text)}</a>`;
}

const wordEndsBefore = /(?<![\p{L}\p{N}_])/uy;
const wordEndsAfter = /(?![\p{L}\p{N}_])/uy;

function holdsAt(pattern: RegExp, text: string, index: number): boolean {
  pattern.lastIndex = index;
  return pattern.test(text);
}

/**
 * Where the next candidate stands: the first place at which its words are not part of longer ones, since there it
 * would have been found.
 */
function placeOf(words: string, text: string, from: number): number {
  let place = text.indexOf(words, from);
  while (place !== -1) {
    const isWhole =
      holdsAt(wordEndsBefore, text, place) && holdsAt(wordEndsAfter, text, place + words.length);
    if (isWhole) return place;
    place = text.indexOf(words, place + 1);
  }
  return text.length;
}

/** A user name behind an `@` that is not part of an address; what ends a sentence does not belong to it. */
const mention = /(?<![\p{L}\p{N}_.@/-])@([A-Za-z0-9._-]{2,29}[A-Za-z0-9_])(?![\p{L}\p{N}@])/gu;

function writeWithMentions(draft: Draft, text: string, { escaped, linksMentions }: TextOptions): void {
  if (!linksMentions || !text.includes('@')) return draft.append(escaped(text));
  let from = 0;
  for (const { 0: found, 1: login = '', index } of text.matchAll(mention)) {
    if (draft.logins.length === mostMentions) break;
    draft.append(escaped(text.slice(from, index)));
    draft.appendMention(login);
    from = index + found.length;
  }
  draft.append(escaped(text.slice(from)));
}

function writeWithReferences(draft: Draft, text: string, options: TextOptions): void {
  if (!text.includes('#')) return writeWithMentions(draft, text, options);
  let from = 0;
  for (const candidate of findReferenceCandidates(text)) {
    const place = placeOf(candidate.text, text, from);
    if (draft.candidates.length === mostReferences || place === text.length) break;
    writeWithMentions(draft, text.slice(from, place), options);
    draft.appendCandidate(candidate);
    from = place + candidate.text.length;
  }
  writeWithMentions(draft, text.slice(from), options);
}

/** Without what ends a sentence and without brackets that were opened before the address. */
function trimAddress(address: string): string {
  let end = address.length;
  let unopened = address.split(')').length - address.split('(').length;
  for (;;) {
    const last = address[end - 1] ?? '';
    if (last === ')' && unopened > 0) unopened--;
    else if (!'.,:;!?*_~'.includes(last)) break;
    end--;
  }
  return address.slice(0, end);
}

const afterScheme = ':\\/\\/[\\p{L}\\p{N}][^\\p{Cc}\\s<>"\'`{}|\\\\^[\\]]*';
/** In these words: ignoring case by `i` would let a long ſ pass for an s. */
const scheme = '\\b[hH][tT]{2}[pP][sS]?';
const wholeAddress = new RegExp(scheme + afterScheme, 'gu');
const addressAfterScheme = new RegExp(`(?<=${scheme})${afterScheme}`, 'uy');

/** The rest of an address of which the scheme ends at a place of the text. */
export function findAddressAfterScheme(text: string, index: number): string | undefined {
  addressAfterScheme.lastIndex = index;
  const found = addressAfterScheme.exec(text)?.[0];
  return found === undefined ? undefined : trimAddress(found);
}

interface FoundAddress {
  readonly address: string;
  readonly index: number;
}

/** The addresses in a text that become links by themselves. */
function findAddresses(text: string): FoundAddress[] {
  return [...text.matchAll(wholeAddress)].map((match) => ({
    address: trimAddress(match[0]),
    index: match.index,
  }));
}

export interface TextOptions {
  readonly escaped: (text: string) => string;
  readonly linksAddresses: boolean;
  /** Whether `@login` may become a link. */
  readonly linksMentions: boolean;
}

/** Writes a run of text in which references, and addresses and mentions if so wished, become links. */
export function writeText(draft: Draft, text: string, options: TextOptions): void {
  const { escaped, linksAddresses } = options;
  if (!linksAddresses || !text.includes('://')) return writeWithReferences(draft, text, options);
  let from = 0;
  for (const { address, index } of findAddresses(text)) {
    writeWithReferences(draft, text.slice(from, index), options);
    draft.append(`<a href="${escapeAll(address)}" rel="${outwardRel}">${escaped(address)}</a>`);
    from = index + address.length;
  }
  writeWithReferences(draft, text.slice(from), options);
}
