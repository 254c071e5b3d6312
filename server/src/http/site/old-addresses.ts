import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withSecurity } from './page-headers.ts';

/** What stands behind the question mark of an address. */
type Query = URLSearchParams;

const numberIn = (query: Query, name: string) => {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? text : undefined;
};

const segments = (path: string) => path.split('/').map(encodeURIComponent).join('/');

function ofTracker(tracker: string, query: Query): string {
  const place = `/trackers/${tracker}`;
  const [report, act] = [numberIn(query, 'report'), query.get('func') ?? ''];
  if (act === 'new-artifact') return `${place}/new`;
  if (act.startsWith('admin')) return `${place}/admin/general`;
  return report === undefined ? place : `${place}?report=${report}`;
}

/** `/plugins/tracker/?aid=42`, and with a tracker, a report or a project in place of an artifact. */
function inTrackers(query: Query): string | undefined {
  const [artifact, tracker] = [numberIn(query, 'aid'), numberIn(query, 'tracker')];
  if (artifact !== undefined) return `/artifacts/${artifact}`;
  if (tracker !== undefined) return ofTracker(tracker, query);
  const [report, project] = [numberIn(query, 'report'), numberIn(query, 'group_id')];
  if (report !== undefined) return `/trackers/by-report/${report}`;
  return project === undefined ? undefined : `/projects/${project}/trackers`;
}

/** `root` names a repository as `PROJECT/NAME`. */
const repositoryIn = (query: Query) =>
  /^([A-Za-z0-9][A-Za-z0-9_.-]*)\/([A-Za-z0-9][A-Za-z0-9_.-]*)$/.exec(query.get('root') ?? '')?.slice(1);

/** `/plugins/svn/{path}?roottype=svn&root=P%2FN`: what is to be seen of a repository. */
function inRepositories(path: string, query: Query): string | undefined {
  const [project, name] = repositoryIn(query) ?? [];
  if (project === undefined) {
    const id = numberIn(query, 'group_id');
    return id === undefined ? undefined : `/projects/${id}/svn`;
  }
  const place = `/projects/${project}/svn/${name}`;
  const below = path === '' ? '' : `/${segments(path)}`;
  const [revision, from, to] = ['revision', 'r1', 'r2'].map((word) => numberIn(query, word));
  const blamed = numberIn(query, 'annotate');
  if (query.get('view') === 'rev' && revision !== undefined) return `${place}/revisions/${revision}`;
  if (from !== undefined && to !== undefined) return `${place}/compare${below}?from=${from}&to=${to}`;
  if (query.get('view') === 'log') return `${place}/log${below}`;
  if (query.has('annotate')) return `${place}/blame${below}${blamed === undefined ? '' : `?rev=${blamed}`}`;
  return `${place}/tree${below}`;
}

const wordsOfRevisions = ['svn', 'rev', 'revision'];

/** `/goto?key=bug&val=42`: what a reference in a text names. */
function byReference(query: Query): string {
  const [key, value] = [query.get('key') ?? '', query.get('val') ?? ''];
  const isRevision = wordsOfRevisions.includes(key.toLowerCase());
  const [, repository, revision] = /^([A-Za-z0-9_.-]+)\/(\d{1,15})$/.exec(value) ?? [];
  const project = /^[A-Za-z0-9_.-]+$/.exec(query.get('group_id') ?? '')?.[0];
  if (!isRevision && /^\d{1,15}$/.test(value)) return `/artifacts/${value}`;
  if (isRevision && repository !== undefined && project !== undefined)
    return `/projects/${project}/svn/${repository}/revisions/${revision}`;
  return `/help/reference?${new URLSearchParams({ key, val: value })}`;
}

/** Pages of people themselves. */
const renamed: Readonly<Record<string, string>> = {
  '/my': '/',
  '/account': '/account/profile',
  '/account/keys-tokens.php': '/account/keys',
  '/account/login.php': '/login',
};

/** Where the page is now that had this address in Tuleap, or that the API hands out; undefined: it never was one. */
function presentAddress(path: string, query: Query): string | undefined {
  const place = path.replace(/\/+$/, '').toLowerCase();
  if (place === '/plugins/tracker') return inTrackers(query);
  if (place === '/plugins/svn' || place.startsWith('/plugins/svn/'))
    return inRepositories(path.slice('/plugins/svn'.length).replace(/^\/+|\/+$/g, ''), query);
  if (place === '/goto') return byReference(query);
  if (place === '/search' && path.endsWith('/')) return `/search${query.size === 0 ? '' : `?${query}`}`;
  return renamed[place];
}

/** Those at which the application has no pages. */
const places = [
  '/plugins/tracker',
  '/plugins/svn',
  '/plugins/svn/*',
  '/goto',
  '/my',
  '/account/keys-tokens.php',
  '/account/login.php',
];

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Leads on without looking at anything. Browsers keep what stands behind `#`. */
export function redirectToPresent(
  { originalUrl }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const [path = '', query = ''] = originalUrl.split(/\?(.*)/s);
  const plain = decoded(path);
  const address = plain === undefined ? undefined : presentAddress(plain, new URLSearchParams(query));
  return address === undefined ? undefined : withSecurity(reply).redirect(address, 302);
}

export function registerOldAddresses(app: FastifyInstance): void {
  for (const place of places)
    app.get(place, async (request, reply) => redirectToPresent(request, reply) ?? reply.callNotFound());
}
