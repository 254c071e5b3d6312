/** What the sanitiser must know of an element that it lets through. */
export interface Element {
  readonly name: string;
  readonly isVoid: boolean;
  /** A paragraph that is open ends where it begins. */
  readonly isBlock: boolean;
  readonly isHeading: boolean;
  readonly isTablePart: boolean;
  /** Holds parts of a table and nothing else. */
  readonly isFrame: boolean;
  /** An end tag within it ends nothing outside it. */
  readonly isWall: boolean;
  /** A wall for list items. */
  readonly isListWall: boolean;
  /** Nothing in it is turned into a link. */
  readonly isQuiet: boolean;
  /** Where it must stand, if not anywhere: a stray one would end an element of the page around the text. */
  readonly parents: readonly string[] | undefined;
  /** The part of a table that is added around it where it was left out. */
  readonly impliedParent: string | undefined;
}

const names = (list: string) => list.split(' ');

const inline = names(
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr',
);
const headings = names('h1 h2 h3 h4 h5 h6');
const blocks = [
  ...headings,
  ...names('blockquote details div dl figure hr ol p pre table ul li dt dd summary figcaption'),
];
const sections = names('thead tbody tfoot');
const tableParts = [...sections, ...names('caption colgroup col tr th td')];
const voids = names('br col hr img wbr');
const frames = [...sections, ...names('table colgroup tr')];
const walls = names('table caption td th');
const lists = names('ul ol');

const parents: Readonly<Record<string, readonly string[]>> = {
  li: lists,
  dt: ['dl'],
  dd: ['dl'],
  summary: ['details'],
  figcaption: ['figure'],
  caption: ['table'],
  colgroup: ['table'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  col: ['colgroup'],
  tr: sections,
  td: ['tr'],
  th: ['tr'],
};
const impliedParents: Readonly<Record<string, string>> = { td: 'tr', th: 'tr', tr: 'tbody', col: 'colgroup' };

function describe(name: string): Element {
  return {
    name,
    isVoid: voids.includes(name),
    isBlock: blocks.includes(name),
    isHeading: headings.includes(name),
    isTablePart: tableParts.includes(name),
    isFrame: frames.includes(name),
    isWall: walls.includes(name),
    isListWall: [...walls, ...lists, 'dl'].includes(name),
    isQuiet: ['a', 'code', 'pre'].includes(name),
    parents: parents[name],
    impliedParent: impliedParents[name],
  };
}

const elements = new Map([...inline, ...blocks, ...tableParts].map((name) => [name, describe(name)]));

/** Elements that are written as another that shows the same. */
const replacements: Readonly<Record<string, string>> = {
  address: 'div',
  article: 'div',
  aside: 'div',
  center: 'div',
  fieldset: 'div',
  footer: 'div',
  form: 'div',
  header: 'div',
  main: 'div',
  nav: 'div',
  section: 'div',
  acronym: 'abbr',
  dir: 'ul',
  menu: 'ul',
  strike: 's',
  tt: 'code',
};
for (const [name, replacement] of Object.entries(replacements)) {
  const element = elements.get(replacement);
  if (element !== undefined) elements.set(name, element);
}

/** The element as which one of this name is written; undefined when it is not let through. */
export const elementNamed = (name: string): Element | undefined => elements.get(name);
