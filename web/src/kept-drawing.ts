import { isPageThere, router } from './routes.ts';
import { keepDrawing, whenAnswered } from './store/index.ts';

/** An element as `first.js` draws it: its name, its attributes, what is in it. */
type Drawing = [
  name: string,
  attributes: readonly (readonly [name: string, value: string])[],
  ...content: (string | Drawing)[],
];

/** Pages that people come back to, and on which nothing is shown that must not be kept, as a new key is. */
const isKept = (path: string) =>
  /^\/$|^\/(inbox|projects)$|^\/projects\/[\w.-]+$|^\/(artifacts|dashboards|trackers)\/\d+$/.test(path);

/** What leads from one element to another, of which there are two until the application has drawn its own; and what somebody typed. */
const isLeftOut = (name: string) =>
  /^(aria-(activedescendant|controls|describedby|labelledby|owns)|autofocus|for|id|name|tabindex|value)$|^on/.test(
    name,
  );

/** Of these a drawing would load or do something. */
const neverDrawn = new Set(['audio', 'embed', 'iframe', 'link', 'object', 'script', 'style', 'video']);

/** What is below the window comes with the application, and never matters to what is above it. */
const isDrawn = (element: Element) =>
  !neverDrawn.has(element.localName) && element.getBoundingClientRect().top < window.innerHeight;

const attributesOf = (element: Element) =>
  [...element.attributes]
    .filter(({ name }) => !isLeftOut(name))
    .map(({ name, value }) => [name, value] as const);

const contentOf = (element: Element): (string | Drawing)[] =>
  [...element.childNodes].flatMap((part): (string | Drawing)[] => {
    if (part instanceof Text) return [part.data];
    return part instanceof Element && isDrawn(part) ? [drawingOf(part)] : [];
  });

function drawingOf(element: Element): Drawing {
  if (element.localName !== 'use') return [element.localName, attributesOf(element), ...contentOf(element)];
  // The outline of an icon is not in the document yet when the drawing is shown.
  const outline = document.querySelector(element.getAttribute('href') ?? 'none');
  if (outline === null) return ['g', []];
  return ['svg', [['viewBox', outline.getAttribute('viewBox') ?? '']], ...contentOf(outline)];
}

const isScrolled = (root: Element) =>
  [...root.querySelectorAll('main, main *, [role=complementary] *')].some(({ scrollTop }) => scrollTop > 0);

const texts = new Map<string, string>();

function textOf({ href, cssRules }: CSSStyleSheet): string {
  const text = texts.get(href ?? '') ?? [...cssRules].map((rule) => rule.cssText).join('');
  texts.set(href ?? '', text);
  return text;
}

/** The style sheets of what is seen: names of classes begin with that of the file that they are of. */
function stylesOf(root: Element): string[] {
  const names = [...root.querySelectorAll('[class]')].flatMap((element) => [...element.classList]);
  const files = [...new Set(names.map((name) => name.slice(0, name.lastIndexOf('_') + 1)))];
  return [...document.styleSheets].flatMap((sheet) => {
    const isUsed = sheet.href !== null && files.some((file) => file !== '' && textOf(sheet).includes(file));
    return isUsed ? [new URL(sheet.href ?? '').pathname] : [];
  });
}

/** Keeps what is seen, where that is what the next visit begins with. */
function keep(): void {
  const root = document.getElementById('root');
  const isThere = root?.querySelector('main') && root.querySelector('[data-outline]') === null;
  if (!root || !isThere || !isKept(window.location.pathname) || isScrolled(root)) return;
  keepDrawing(`${window.innerWidth} ${window.location.href}`, {
    build: document.querySelector('script[type=module]')?.getAttribute('src'),
    styles: stylesOf(root),
    drawing: drawingOf(root),
  });
}

/** One drawing of a page is enough until somebody leaves it: it takes some milliseconds, in which no key is answered. */
const keptHere = new Set<string>();

async function keepWhenDrawn(): Promise<void> {
  const { href } = window.location;
  if (keptHere.has(href)) return;
  keptHere.add(href);
  await whenAnswered(isPageThere);
  if (window.location.href === href) keep();
  else keptHere.delete(href);
}

/** Keeps how pages look, when one is shown for the first time and when somebody leaves it. */
export function keepDrawings(): void {
  void keepWhenDrawn();
  router.subscribe('onResolved', () => void keepWhenDrawn());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep();
  });
}
