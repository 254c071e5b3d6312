/*
 * Texts that people write: Markdown, HTML and plain text become HTML that is safe to show. This file renders; the rest, in the order in which a text passes:
 *
 * draft.ts      a text on its way: its references and mentions become links
 * markdown.ts, sanitise.ts, plain-text.ts   are loaded when the first text needs them: most threads never do
 * scan.ts, elements.ts, attributes.ts       what of HTML stays
 *
 * What is stored is safe already; nothing is sanitised when it is shown (decision 10).
 */

import { createRequire } from 'node:module';
import type { ReferenceCandidate } from '../../projects/index.ts';
import {
  Draft,
  escapeAll,
  escapeText,
  type MentionResolver,
  type ReferenceResolver,
  writeText,
} from './draft.ts';

export { escapeAll } from './draft.ts';

export const textFormats = ['text', 'html', 'commonmark'] as const;
export type TextFormat = (typeof textFormats)[number];
export const isTextFormat = (value: unknown): value is TextFormat =>
  textFormats.some((format) => format === value);

/** What a text may have, in a field, in a comment, and where either is shown before it is saved. */
export const mostTextBytes = 65_535;

/** Is raised when the same content comes out differently, so that a stored rendering can be known to be old. */
export const rendererVersion = 1;

const require = createRequire(import.meta.url);
/** What needs a library is loaded with the first text that has markup: most threads never render one. */
function lazily<Part>(path: string): () => Part {
  let part: Part | undefined;
  return () => {
    const loaded: Part = part ?? require(path);
    part = loaded;
    return loaded;
  };
}
const markdown = lazily<typeof import('./markdown.ts')>('./markdown.ts');
const sanitiser = lazily<typeof import('./sanitise.ts')>('./sanitise.ts');
const plainTexts = lazily<typeof import('./plain-text.ts')>('./plain-text.ts');

function draftText(content: string): Draft {
  const draft = new Draft();
  writeText(draft, content, { escaped: escapeAll, linksAddresses: true, linksMentions: true });
  return draft;
}

/** A browser does not show tags that it does not know. */
function draftHtml(content: string): Draft {
  return sanitiser().sanitise(content, {
    showsUnknownTags: false,
    linksAddresses: false,
    linksMentions: false,
  });
}

/** Whoever writes `List<String>` outside code means to show it, so unknown tags are. */
function draftCommonmark(content: string): Draft {
  const html = markdown().renderMarkdown(content);
  if (html !== undefined)
    return sanitiser().sanitise(html, { showsUnknownTags: true, linksAddresses: true, linksMentions: true });
  const draft = new Draft();
  draft.append(`<pre>${escapeText(content)}</pre>`);
  return draft;
}

const drafts: Readonly<Record<TextFormat, (content: string) => Draft>> = {
  text: draftText,
  html: draftHtml,
  commonmark: draftCommonmark,
};

/** A text of which everything is done that needs no database, once for all that is asked of it. */
export interface PreparedText {
  /** What has the form of a reference where one may stand, in order; the resolver is asked about each. */
  readonly candidates: readonly ReferenceCandidate[];
  /** User names behind an `@` where a mention may stand. */
  readonly logins: readonly string[];
  /** HTML that is safe in any page, with a link for each reference and mention that leads somewhere. */
  render(resolve: ReferenceResolver, resolveMention?: MentionResolver): string;
  /** The words without markup: a line for each block, entities decoded. */
  plainText(): string;
}

export function prepareText(content: string, format: TextFormat): PreparedText {
  const draft = drafts[format](content);
  return {
    candidates: draft.candidates,
    logins: draft.logins,
    render: (resolve, resolveMention) => draft.finish(resolve, resolveMention),
    plainText: () => (format === 'text' ? content : plainTexts().wordsOf(draft.finish(() => undefined))),
  };
}

export function renderText(content: string, format: TextFormat, resolve: ReferenceResolver): string {
  return prepareText(content, format).render(resolve);
}

/** The words of HTML that was rendered here. */
export const wordsOf = (html: string): string => plainTexts().wordsOf(html);

export function plainText(content: string, format: TextFormat): string {
  return format === 'text' ? content : prepareText(content, format).plainText();
}
