import { Extension, Mark, Node } from '@tiptap/react';
import { editableFragment, shownFragment } from './safe-html.ts';

/** Blocks that the editor has no tools for: they stay as they are, and can be moved or taken away as a whole. */
const BLOCKS = ['table', 'dl', 'details', 'figure'];
/** What stands in a line without words. */
const PIECES = ['img', 'wbr'];
/** Words that mean something; what they say can be edited. */
const PHRASES = 'abbr bdi bdo cite dfn ins kbd mark q samp small span sub sup time var'.split(' ');
/** What elements that the editor knows may have beside what it knows of them. */
const ATTRIBUTES = ['class', 'dir', 'lang', 'align', 'id', 'title'];

/** The element as it was written: `html` is what the editor itself read. */
const elementOf = (html: unknown): HTMLElement => {
  const element = editableFragment(String(html)).firstElementChild;
  return element instanceof HTMLElement ? element : document.createElement('span');
};

const source = {
  html: {
    default: '',
    parseHTML: (element: HTMLElement) => element.outerHTML,
    renderHTML: () => ({}),
  },
};

/** In the editor nothing is loaded from elsewhere, as on every page. */
function viewOf(html: unknown, isInline: boolean): { dom: HTMLElement } {
  const dom = document.createElement(isInline ? 'span' : 'div');
  dom.contentEditable = 'false';
  dom.append(shownFragment(String(html)));
  return { dom };
}

const KeptBlock = Node.create({
  name: 'keptBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => source,
  parseHTML: () => BLOCKS.map((tag) => ({ tag })),
  renderHTML: ({ node }) => elementOf(node.attrs['html']),
  addNodeView:
    () =>
    ({ node }) =>
      viewOf(node.attrs['html'], false),
});

const KeptPiece = Node.create({
  name: 'keptPiece',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => source,
  parseHTML: () => PIECES.map((tag) => ({ tag })),
  renderHTML: ({ node }) => elementOf(node.attrs['html']),
  addNodeView:
    () =>
    ({ node }) =>
      viewOf(node.attrs['html'], true),
});

const KeptPhrase = Mark.create({
  name: 'keptPhrase',
  // They may lie in each other.
  excludes: '',
  addAttributes: () => ({
    tag: {
      default: 'span',
      parseHTML: (element: HTMLElement) => element.tagName.toLowerCase(),
      renderHTML: () => ({}),
    },
    own: {
      default: {},
      parseHTML: (element: HTMLElement) =>
        Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      renderHTML: () => ({}),
    },
  }),
  parseHTML: () => PHRASES.map((tag) => ({ tag })),
  renderHTML: ({ mark }) => [String(mark.attrs['tag']), { ...mark.attrs['own'] }, 0],
});

const KeptAttributes = Extension.create({
  name: 'keptAttributes',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'listItem'],
      attributes: Object.fromEntries(ATTRIBUTES.map((name) => [name, { default: null }])),
    },
  ],
});

/** What keeps everything of a text that was written elsewhere, also what the editor has no tools for. */
export const keptHtml = [KeptBlock, KeptPiece, KeptPhrase, KeptAttributes];
