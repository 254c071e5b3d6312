import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Token } from 'markdown-it';
import type { Plugin } from 'vite';

const createMarkdown: typeof import('markdown-it').default = createRequire(import.meta.url)('markdown-it');

const root = fileURLToPath(new URL('../', import.meta.url));

/** Pages that lie beside `docs/`, and the names that they have in the help. */
const besides: Readonly<Record<string, string>> = { 'README.md': 'readme', 'SECURITY.md': 'security' };

/** A part of a page below one heading; the first one has none. */
export interface DocSection {
  readonly id: string;
  readonly level: number;
  readonly title: string;
  readonly html: string;
  /** What is looked through. */
  readonly text: string;
}

export interface Doc {
  /** `/help/{name}` */
  readonly name: string;
  readonly title: string;
  readonly sections: readonly DocSection[];
  /** Files that it shows or hands out, from the root of the repository. */
  readonly files: readonly string[];
}

/** Where a file stands in the HTML until the build has given it its lasting address. */
const placeOf = (file: string) => `@@${file}@@`;
const place = /@@([^@]+)@@/;

/** By the path of its file from the root of the repository; the list of all of them is the help itself. */
function nameOf(file: string): string | undefined {
  if (Object.hasOwn(besides, file)) return besides[file];
  const below = /^docs\/(.+)\.md$/.exec(file)?.[1];
  return below === 'README' ? '' : below?.replace(/\/README$/, '');
}

const isFile = (file: string) => /\.\w+$/.test(file) && existsSync(join(root, file));

/** Where a link of a page leads, in the help; undefined: nowhere that is served. */
function addressIn(from: string, href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const anchor = hash === undefined ? '' : `#${hash}`;
  const joined = path === '' ? from : posix.join(dirname(from), path);
  const file = joined.endsWith('/') ? `${joined}README.md` : joined;
  if (!isFile(file)) return undefined;
  const name = nameOf(file);
  if (name !== undefined) return `/help${name === '' ? '' : `/${name}`}${anchor}`;
  return file.startsWith('docs/') ? placeOf(file) : undefined;
}

/** Links lead to pages of the help; what is not served is words. Pictures lead to themselves in full size. */
function linkWithin(from: string, tokens: readonly Token[]): Token[] {
  let isDropped = false;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') {
      const address = addressIn(from, String(token.attrGet('href')));
      isDropped = address === undefined;
      if (address !== undefined) token.attrSet('href', address);
    }
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) return [];
    if (token.type === 'image') {
      const address = addressIn(from, String(token.attrGet('src')));
      if (address !== undefined) token.attrSet('src', address);
    }
    return [token];
  });
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === 'inline') return `${textOf(children ?? [])} `;
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return ['text', 'code_inline', 'fence', 'code_block'].includes(type) ? content : '';
    })
    .join('');

/** As the pages of others make them of headings, so that one address works in both. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const markdown = createMarkdown({ html: true });

function sectionOf(
  heading: { level: number; title: string },
  tokens: Token[],
  taken: Set<string>,
): DocSection {
  const { level, title } = heading;
  let id = anchorOf(title);
  for (let count = 1; taken.has(id); count++) id = `${anchorOf(title)}-${count}`;
  taken.add(id);
  // A head without words names nothing.
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll(/<th\b[^>]*><\/th>/g, '<td></td>');
  return { id, level, title, html, text: textOf(tokens).replace(/\s+/g, ' ').trim() };
}

/** Pages take no styles that stand in the text: columns of numbers are put to the right by an attribute. */
function alignByAttribute(token: Token): void {
  if (token.type !== 'td_open' && token.type !== 'th_open') return;
  const side = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1];
  if (side !== undefined) token.attrs = [['align', side]];
}

/** HTML that stands in a page shows files, too. */
const inHtml = (from: string, html: string) =>
  html.replace(/(<img\b[^>]*\bsrc=")([^"@]+)(")/g, (all, before, source, after) => {
    const address = addressIn(from, source);
    return address === undefined ? all : `${before}${address}${after}`;
  });

function read(file: string): Doc {
  const tokens = markdown.parse(readFileSync(join(root, file), 'utf8'), {});
  for (const token of tokens) {
    if (token.children) token.children = linkWithin(file, token.children);
    alignByAttribute(token);
    if (token.type.startsWith('html')) token.content = inHtml(file, token.content);
  }
  let title = '';
  const taken = new Set<string>();
  const sections: DocSection[] = [];
  let heading = { level: 1, title: '' };
  let held: Token[] = [];
  const end = () => {
    if (held.length > 0 || heading.title !== '') sections.push(sectionOf(heading, held, taken));
    held = [];
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) continue;
    const level = token.type === 'heading_open' ? Number(token.tag.slice(1)) : 9;
    if (level > 3) {
      held.push(token);
      continue;
    }
    const words = textOf(tokens.slice(at + 1, at + 2)).trim();
    at += 2;
    if (level === 1 && title === '') title = words;
    else {
      end();
      heading = { level, title: words };
    }
  }
  end();
  const files = sections.flatMap(({ html }) =>
    [...html.matchAll(new RegExp(place, 'g'))].map(([, path]) => path ?? ''),
  );
  return { name: nameOf(file) ?? '', title, sections, files: [...new Set(files)] };
}

/** All pages of the documentation, but the list of them. */
export function readDocs(): Doc[] {
  const files = [...globSync('docs/**/*.md', { cwd: root }), ...Object.keys(besides)].sort();
  return files.filter((file) => nameOf(file) !== '').map(read);
}

/** The text of a module with what is in the place of files imported from where they are. */
function moduleOf(doc: Doc): string {
  const imports = doc.files.map(
    (file, index) => `import file${index} from ${JSON.stringify(`${join(root, file)}?url`)};`,
  );
  const sections = doc.sections.map(({ id, level, title, html }) => ({ id, level, title, html }));
  const text = JSON.stringify(sections).replace(
    new RegExp(place, 'g'),
    (_, file) => `"+file${doc.files.indexOf(file)}+"`,
  );
  return `${imports.join('\n')}\nexport const sections = ${text};`;
}

const listId = 'virtual:docs';
const textId = 'virtual:docs-text';
const resolved = (id: string) => `\0${id}`;

/** Gives the help the pages of `docs/`: a list of them, each as a part of its own, and their words to look through. */
export function docs(): Plugin {
  let known: Doc[] | undefined;
  const all = () => {
    known ??= readDocs();
    return known;
  };
  const list = () => {
    const entries = all().map(
      ({ name, title }) =>
        `{ name: ${JSON.stringify(name)}, title: ${JSON.stringify(title)}, load: () => import(${JSON.stringify(`${listId}/${name}`)}) }`,
    );
    return `export const docs = [${entries.join(',\n')}];`;
  };
  const texts = () =>
    all().flatMap(({ name, sections }) => sections.map(({ id, title, text }) => [name, id, title, text]));
  return {
    name: 'atelier-docs',
    buildStart() {
      known = undefined;
    },
    resolveId: (id) =>
      id === listId || id === textId || id.startsWith(`${listId}/`) ? resolved(id) : undefined,
    load(id) {
      if (id === resolved(listId)) return list();
      if (id === resolved(textId)) return `export const texts = ${JSON.stringify(texts())};`;
      const name = id.startsWith(resolved(`${listId}/`))
        ? id.slice(resolved(`${listId}/`).length)
        : undefined;
      const doc = name === undefined ? undefined : all().find((one) => one.name === name);
      return doc === undefined ? undefined : moduleOf(doc);
    },
  };
}
