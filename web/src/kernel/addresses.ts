/** The state of a view as its address has it: names with one text each. */
export type SearchParameters = Readonly<Record<string, string>>;

/** Characters that short forms of filters are made of (`f=status:101,102;assigned_to:me`); they mean nothing else in a query. */
const readable: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2C': ',',
  '%3B': ';',
  '%40': '@',
  '%2F': '/',
  '%20': '+',
};

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /%3A|%2C|%3B|%40|%2F|%20/g,
    (sequence) => readable[sequence] ?? sequence,
  );
}

/** The query of an address without `?`. What is empty or not set is left out. */
export function writeSearch(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
    .map(([name, value]) => `${encoded(name)}=${encoded(value === true ? '1' : String(value))}`)
    .join('&');
}

/** The first value of each name, whatever else was written. */
export function readSearch(query: string): SearchParameters {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) if (!found.has(name)) found.set(name, value);
  return Object.fromEntries(found);
}

/** Where a sign-in leads: a path of this server, never another place. */
export function safeReturn(to: string | undefined): string {
  if (to === undefined || !/^\/(?![/\\])/.test(to)) return '/';
  try {
    const base = 'http://here.invalid';
    const { origin, pathname, search, hash } = new URL(to, base);
    if (origin !== base || /^\/(login|password)(\/|$)/.test(pathname)) return '/';
    // Dots may have led to a path that begins like another host.
    return pathname.startsWith('//') ? '/' : `${pathname}${search}${hash}`;
  } catch {
    return '/';
  }
}

/** The path within this server of an address that the API hands out; undefined for other servers. */
export function pathWithin(origin: string, href: string): string | undefined {
  try {
    const url = new URL(href, origin);
    return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : undefined;
  } catch {
    return undefined;
  }
}

/** Addresses of pages that the API hands out in the words of another product; the server leads from them too, by another request. */
function ownPath(path: string): string {
  const { pathname, searchParams: query, hash } = new URL(path, 'http://here.invalid');
  if (!/^\/plugins\/tracker\/?$/.test(pathname)) return path;
  const artifact = query.get('aid');
  if (artifact !== null) return `/artifacts/${artifact}${hash.replace(/^#followup_/, '#change-')}`;
  const tracker = query.get('tracker');
  const report = query.get('report');
  return tracker === null ? path : `/trackers/${tracker}${report === null ? '' : `?report=${report}`}`;
}

/** Where an address that the API hands out leads inside the application; other servers' stay what they are. */
export function pageOf(origin: string, href: string): string {
  const path = pathWithin(origin, href);
  return path === undefined ? href : ownPath(path);
}

/** The id at the end of a uri: 42 of `artifacts/42`. */
export function idOfUri(uri: string): number {
  const id = Number(uri.slice(uri.lastIndexOf('/') + 1));
  if (!Number.isInteger(id)) throw new TypeError(`"${uri}" does not end in an id.`);
  return id;
}

/** What somebody means who types only a number, `#42` or `bug #42`. */
export function artifactIdIn(words: string): number | undefined {
  const id = Number(/^(?:[\w-]+\s+)?#?(\d{1,12})$/.exec(words.trim())?.[1]);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}
