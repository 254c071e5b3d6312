import DOMPurify from 'dompurify';

/** The elements that the server lets through, and the attributes that they keep. */
const ELEMENTS =
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr h1 h2 h3 h4 h5 h6 blockquote details div dl figure hr ol p pre table ul li dt dd summary figcaption thead tbody tfoot caption colgroup col tr th td'.split(
    ' ',
  );
const ATTRIBUTES =
  'href src alt title class lang dir width height colspan rowspan scope start reversed type cite datetime open align id name'.split(
    ' ',
  );

type Words = { pictureOn: (host: string) => string; opensElsewhere: string };

export type SafeHtmlOptions = { words: Words; isTickable: boolean };

/** Nodes of a text that is edited: without anything that runs, and otherwise as they were written. */
export const editableFragment = (html: string): DocumentFragment =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: ELEMENTS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });

/** Nodes of a text without anything that runs, loads from elsewhere, or could be mistaken for the page around it. */
export function safeFragment(html: string, { words, isTickable }: SafeHtmlOptions): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: ELEMENTS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    SANITIZE_NAMED_PROPS: true,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const picture of fragment.querySelectorAll('img')) tamePicture(picture, words);
  for (const link of fragment.querySelectorAll('a')) markLink(link, words);
  for (const table of fragment.querySelectorAll('table')) letScroll(table);
  // Marks and edges stand where the writing begins.
  for (const block of fragment.querySelectorAll<HTMLElement>('ul, ol, blockquote, table'))
    block.dir ||= 'auto';
  // Long lines are scrolled to by keyboard, too.
  for (const block of fragment.querySelectorAll('pre')) block.tabIndex = 0;
  tickBoxes(fragment, isTickable);
  return fragment;
}

/** Nothing is loaded from other hosts: their pictures are links that say where they are. */
function tamePicture(picture: HTMLImageElement, words: Words): void {
  const address = addressOf(picture.getAttribute('src') ?? '');
  picture.removeAttribute('srcset');
  if (address === null || address.origin === location.origin) {
    picture.loading = 'lazy';
    if (!picture.hasAttribute('alt')) picture.alt = '';
    return;
  }
  const link = document.createElement('a');
  link.href = address.href;
  link.textContent = words.pictureOn(address.host);
  picture.replaceWith(link);
}

/** Nodes of a part of a text that is shown in an editor and not edited: pictures of other hosts are not there. */
export function shownFragment(html: string): DocumentFragment {
  const fragment = editableFragment(html);
  for (const picture of fragment.querySelectorAll('img')) {
    const address = addressOf(picture.getAttribute('src') ?? '');
    if (address === null || address.origin === location.origin) continue;
    const words = document.createElement('em');
    words.textContent = picture.alt || address.host;
    picture.replaceWith(words);
  }
  return fragment;
}

function markLink(link: HTMLAnchorElement, words: Words): void {
  const address = addressOf(link.getAttribute('href') ?? '');
  if (address === null || address.origin === location.origin) return;
  link.rel = 'noopener noreferrer';
  link.target = '_blank';
  link.dataset['elsewhere'] = '';
  link.title ||= words.opensElsewhere;
}

function addressOf(text: string): URL | null {
  const address = URL.parse(text, location.href);
  return address !== null && /^https?:$/.test(address.protocol) ? address : null;
}

/** A wide table scrolls inside its own box, and by keyboard too. */
function letScroll(table: HTMLTableElement): void {
  const box = document.createElement('div');
  box.className = 'scrolls';
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  table.replaceWith(box);
  box.append(table);
}

const BOX = /^\s*([☐☑])\s*/;

/** The server writes tasks as signs; they become boxes that are ticked where one may. */
function tickBoxes(fragment: DocumentFragment, isTickable: boolean): void {
  let index = 0;
  for (const item of fragment.querySelectorAll('li')) {
    const text = firstText(item);
    const sign = BOX.exec(text?.data ?? '');
    if (text === null || sign === null) continue;
    text.data = text.data.slice(sign[0].length);
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = sign[1] === '☑';
    box.disabled = !isTickable;
    box.dataset['task'] = String(index++);
    box.setAttribute('aria-label', (item.textContent ?? '').trim().slice(0, 120) || '–');
    item.dataset['task'] = '';
    text.before(box);
  }
}

function firstText(item: Element): Text | null {
  const first = item.firstChild;
  if (first instanceof Text && first.data.trim() !== '') return first;
  const block = item.firstElementChild;
  if (block?.tagName === 'P' && block.firstChild instanceof Text) return block.firstChild;
  return null;
}
