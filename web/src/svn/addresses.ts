/** What of a repository an address shows. */
export type SvnPageName = 'tree' | 'file' | 'blame' | 'log' | 'revisions' | 'compare' | 'settings';

const pageNames: readonly string[] = ['tree', 'file', 'blame', 'log', 'revisions', 'compare', 'settings'];
const isPageName = (text: string): text is SvnPageName => pageNames.includes(text);

/** The part of an address behind the repository: a page, and a path in the repository without a slash in front. */
export function readPlace(rest: string): { page: SvnPageName; path: string } | undefined {
  if (rest === '') return { page: 'tree', path: '' };
  const [page = '', ...segments] = rest.split('/');
  return isPageName(page) ? { page, path: segments.filter((part) => part !== '').join('/') } : undefined;
}

const encodedPath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/');

/** Addresses of the pages of one repository. */
export class SvnAddresses {
  readonly base: string;

  /** `base`: `/svn/1` or `/projects/shop/svn/site`. */
  constructor(base: string) {
    this.base = base;
  }

  page(name: SvnPageName, path: string, query: Readonly<Record<string, number | undefined>> = {}): string {
    const at = encodedPath(path);
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const asked = given.map(([key, value]) => `${key}=${value}`).join('&');
    return `${this.base}/${name}${at === '' ? '' : `/${at}`}${asked === '' ? '' : `?${asked}`}`;
  }

  revision(revision: number): string {
    return `${this.base}/revisions/${revision}`;
  }

  settings(page: string): string {
    return `${this.base}/settings/${page}`;
  }
}

/** What lies around a path: `trunk/src/a.ts` is in `trunk/src`. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Lines that `#L12` or `#L12-20` names. */
export function linesIn(hash: string): { from: number; to: number } | undefined {
  const [, from, to] = /^#?L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? [];
  if (from === undefined) return undefined;
  const [one, other] = [Number(from), Number(to ?? from)];
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

export const hashOf = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `L${from}` : `L${from}-${to}`;
