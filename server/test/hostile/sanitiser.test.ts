import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderText, type TextFormat } from '../../src/trackers/text/index.ts';
import { lacksBrowser, startBrowser, type TestBrowser } from '../harness/browser.ts';
import { seed } from '../harness/seed.ts';
import { sanitiserVector } from './sanitiser-vectors.ts';

/** What a text may become; the sanitiser has a list of its own, which this one must not follow by itself. */
const allowed = {
  elements:
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 ' +
    'h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th ' +
    'thead time tr u ul var wbr',
  attributes:
    'href class rel src alt width height referrerpolicy title lang dir style start reversed type value colspan rowspan ' +
    'align scope span open datetime',
  styles: 'text-align color background-color font-weight font-style text-decoration',
  schemes: 'http: https: ftp: ftps: mailto: tel:',
};

/** Reads texts by the parser of the browser that this runs in, and tells what should not be there. */
function inspect({ texts, lists }: { texts: readonly string[]; lists: typeof allowed }): string[] {
  const [elements, attributes, styles, schemes] = [
    lists.elements,
    lists.attributes,
    lists.styles,
    lists.schemes,
  ].map((list) => new Set(list.split(' ')));
  const place = document.createElement('div');
  document.body.append(place);

  function faultOfLook(element: HTMLElement): string | undefined {
    // A short form is kept as its parts: `text-decoration` as `text-decoration-line` and so on.
    for (const property of element.style) {
      const isKnown = [...(styles ?? [])].some(
        (known) => property === known || property.startsWith(`${known}-`),
      );
      if (!isKnown) return `style ${property}`;
    }
    return undefined;
  }

  function faultOfAddress(element: Element): string | undefined {
    if (element instanceof HTMLAnchorElement && !schemes?.has(element.protocol))
      return `a link to ${element.href}`;
    if (!(element instanceof HTMLImageElement)) return undefined;
    // An address that cannot be read leads nowhere.
    if (!URL.canParse(element.src)) return undefined;
    const { protocol, host } = new URL(element.src);
    if (protocol !== 'http:' && protocol !== 'https:') return `an image of ${element.src}`;
    return host !== location.host && element.referrerPolicy !== 'no-referrer'
      ? `an image that tells ${host} of the page`
      : undefined;
  }

  function faultOf(element: Element): string | undefined {
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml')
      return `an element of ${element.namespaceURI}`;
    if (!(element instanceof HTMLElement) || !elements?.has(element.localName))
      return `<${element.localName}>`;
    const odd = [...element.attributes].find(({ name, prefix }) => prefix !== null || !attributes?.has(name));
    return odd === undefined
      ? (faultOfLook(element) ?? faultOfAddress(element))
      : `the attribute ${odd.name}`;
  }

  /** What the text does to the page around it when it is a part of its source. */
  function faultAround(text: string): string | undefined {
    const page = new DOMParser().parseFromString(
      `<!DOCTYPE html><body><div>${text}</div><i></i></body>`,
      'text/html',
    );
    const around = [...page.body.childNodes].map(({ nodeName }) => nodeName).join();
    if (around !== 'DIV,I' || page.head.childNodes.length > 0) return `the page around it became ${around}`;
    return page.body.firstChild?.isEqualNode(place) ? undefined : 'it is another in a page';
  }

  function faultIn(text: string): string | undefined {
    place.innerHTML = text;
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const isText = node.nodeType === Node.TEXT_NODE;
      const fault = node instanceof Element ? faultOf(node) : isText ? undefined : node.nodeName;
      if (fault !== undefined) return fault;
    }
    const around = faultAround(text);
    if (around !== undefined) return around;
    // Pages read back what they show and write it again: it must not become another by that.
    const again = place.cloneNode();
    // The first line break of a `pre` is not read; browsers forget that when they write one.
    if (again instanceof Element) again.innerHTML = place.innerHTML.replace(/(<pre[^>]*>)\n/g, '$1\n\n');
    return again.isEqualNode(place) ? undefined : 'it becomes another when it is read back';
  }

  const faults = texts.flatMap((text) => {
    const fault = faultIn(text);
    return fault === undefined ? [] : [`${fault}: ${text}`];
  });
  place.remove();
  return faults;
}

const formats: readonly TextFormat[] = ['html', 'commonmark', 'text'];
const resolve = () => '/goto?key=art&val=1&group_id=101';

/** A page that counts what acted in it. */
const countingPage = (body: string) =>
  `<!DOCTYPE html><meta charset=utf-8><script>acted = 0; alert = () => acted++;</script><body>${body}</body>`;

describe.skipIf(lacksBrowser)('a text, read by the parser of a browser', () => {
  const vectors = fc.sample(sanitiserVector, { numRuns: 4000, seed });
  const texts = vectors.flatMap((vector) => formats.map((format) => renderText(vector, format, resolve)));
  let server: Server;
  let browser: TestBrowser;
  let page: Page;
  const requests: { readonly url: string; readonly type: string; readonly hasReferer: boolean }[] = [];

  beforeAll(async () => {
    const body = texts.map((text) => `<section>${text}</section>`).join('\n');
    server = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      const isPage = request.url === '/' || request.url === '/all';
      response.writeHead(isPage ? 200 : 404).end(isPage ? countingPage(request.url === '/' ? '' : body) : '');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    browser = await startBrowser();
    page = await browser.browser.newPage();
    page.on('request', (request) =>
      requests.push({
        url: request.url(),
        type: request.resourceType(),
        // Empty where the page says that none is to be sent.
        hasReferer: Boolean(request.headers()['referer']),
      }),
    );
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const acted = () => page.evaluate('acted');
  /** Requests that are not for the page itself. */
  const foreign = () => requests.filter(({ url }) => !url.startsWith(`${origin()}/`));

  test('nothing is in it that acts, and it means the same wherever it stands', async () => {
    await page.goto(`${origin()}/`);
    const faults = await page.evaluate(inspect, { texts, lists: allowed });
    expect(faults.slice(0, 5), `seed ${seed}`).toEqual([]);
    expect([await acted(), page.url()]).toEqual([0, `${origin()}/`]);
  });

  test('nothing acts, leaves or is fetched from elsewhere but images, in a page of all of them', async () => {
    await page.goto(`${origin()}/all`);
    const shown = await page.evaluate(() => ({
      sections: document.querySelectorAll('body > section').length,
      all: document.querySelectorAll('section').length,
      scripts: document.scripts.length,
    }));
    expect(shown, `seed ${seed}`).toEqual({ sections: texts.length, all: texts.length, scripts: 1 });
    expect([await acted(), page.url()], `seed ${seed}`).toEqual([0, `${origin()}/all`]);
    expect(foreign().filter(({ type, hasReferer }) => type !== 'image' || hasReferer)).toEqual([]);
  });

  test('which would be seen: the vectors themselves are full of it', async () => {
    await page.goto(`${origin()}/`);
    await page.evaluate(() => {
      document.body.innerHTML = '<img src=x onerror=alert(1)>';
    });
    await page.waitForFunction('acted > 0');
    const faults = await page.evaluate(inspect, { texts: vectors.slice(0, 400), lists: allowed });
    expect(faults.length).toBeGreaterThan(200);
  });
});
