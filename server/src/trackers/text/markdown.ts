import { createRequire } from 'node:module';
import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import { findAddressAfterScheme } from './draft.ts';

/** Required, not imported: so it comes as one file instead of sixty. */
const createMarkdown: typeof import('markdown-it').default = createRequire(import.meta.url)('markdown-it');

/**
 * What one text may cost, in steps of about 60 nanoseconds. A page takes a few thousand; what reaches the end is a
 * table of 8000 cells, a list of 6000 items, or brackets and links made for nothing else.
 */
const mostSteps = 600_000;
const stepsOfToken = 20;
const stepsOfAddress = 60;
const deepest = 50;

class TooCostly extends Error {}

/** Parsing waits for nothing, so one count serves one text after the other. */
let stepsLeft = 0;

function spend(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) throw new TooCostly();
}

/** Makes the library count the tokens it makes, its looks ahead for the end of a link, and the addresses it takes apart. */
function countSteps(markdown: MarkdownIt): void {
  const { block, inline } = markdown;
  block.State = class extends block.State {
    override push(...token: Parameters<InstanceType<typeof block.State>['push']>) {
      spend(stepsOfToken);
      return super.push(...token);
    }
  };
  inline.State = class extends inline.State {
    override push(...token: Parameters<StateInline['push']>) {
      spend(stepsOfToken);
      return super.push(...token);
    }
  };
  const skipToken = inline.skipToken.bind(inline);
  inline.skipToken = (state) => {
    spend(1);
    skipToken(state);
  };
  const normalizeLink = markdown.normalizeLink.bind(markdown);
  markdown.normalizeLink = (address) => {
    spend(stepsOfAddress);
    return normalizeLink(address);
  };
}

/** One long address, defined once, can be used by thousands of links. */
function countAttributes(tokens: readonly Token[]): void {
  for (const { children } of tokens)
    for (const { attrs } of children ?? []) for (const [, value] of attrs ?? []) spend(String(value).length);
}

/** Takes an address as it is, `_` and `*` included. The sanitiser makes the link. */
function address(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ':') return false;
  const rest = findAddressAfterScheme(state.src.slice(0, state.posMax), state.pos);
  if (rest === undefined) return false;
  if (!silent) state.pending += rest;
  state.pos += rest.length;
  return true;
}

const boxes: Readonly<Record<string, string>> = { '[ ]': '☐', '[x]': '☑', '[X]': '☑' };

/** A list item that begins with `[ ]` or `[x]` gets a box that cannot be clicked. */
function tasks({ tokens }: StateCore): void {
  for (const [index, { type, children }] of tokens.entries()) {
    const first = children?.[0];
    if (type !== 'inline' || first?.type !== 'text' || tokens[index - 2]?.type !== 'list_item_open') continue;
    const [start, box, rest] = /^(\[[ xX]\])(\s.*)$/s.exec(first.content) ?? [];
    if (start !== undefined) first.content = `${boxes[box ?? '']}${rest}`;
  }
}

const markdown = createMarkdown({ html: true });
Object.assign(markdown.options, { maxNesting: deepest });
markdown.inline.ruler.after('text', 'address', address);
markdown.core.ruler.after('inline', 'tasks', tasks);
countSteps(markdown);

/** The HTML of a Markdown text, not yet safe; undefined when the text would cost too much. */
export function renderMarkdown(source: string): string | undefined {
  stepsLeft = mostSteps;
  const env = {};
  try {
    const tokens = markdown.parse(source, env);
    countAttributes(tokens);
    return markdown.renderer.render(tokens, markdown.options, env);
  } catch (error) {
    if (error instanceof TooCostly) return undefined;
    throw error;
  }
}
