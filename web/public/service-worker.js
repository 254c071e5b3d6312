// Keeps the document and the files of the application on this device, so that it opens without a network. Nothing that the API answers is
// kept here: what a person reads lies in a database of that person, which signing out removes.

/** A worker with another name removes what the one before it kept. */
const name = 'atelier-1';
/** Builds have some three hundred files; those of the one before are still asked for by pages that are open. */
const mostFiles = 1000;
/** One document stands for all pages. */
const document = '/';

/** What the server answers by itself, or with pages that are not of the application. */
const elsewhere = ['api', 'uploads', 'exports', 'svn-content', 'svnplugin', 'plugins', 'goto', 'unsubscribe'];
const isElsewhere = (path) => elsewhere.includes(path.split('/')[1]);
const isFile = (path) => path.startsWith('/assets/');

/** Told to browsers that can find these without waking this worker, and waiting for it, each time. */
const ways = [
  { condition: { urlPattern: { pathname: '/assets/*' } }, source: { cacheName: name } },
  ...elsewhere.map((room) => ({
    condition: { urlPattern: { pathname: `/${room}/*` } },
    source: 'network',
  })),
];

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.resolve(event.addRoutes?.(ways)).catch(() => undefined));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(begin());
});

async function begin() {
  for (const other of await caches.keys()) if (other !== name) await caches.delete(other);
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (isFile(pathname)) event.respondWith(file(request));
  else if (request.mode === 'navigate' && !isElsewhere(pathname)) event.respondWith(page(event));
});

/** Files have names that change with what is in them: one that is kept is right. */
async function file(request) {
  const kept = await caches.open(name);
  return (await kept.match(request)) ?? fetch(request);
}

/** Pages tell which files they have loaded; the browser still has them at hand. */
self.addEventListener('message', (event) => {
  const told = Array.isArray(event.data?.loaded) ? event.data.loaded : [];
  // As the browser reads them: what begins like a file may lead elsewhere by dots.
  const paths = told.map((path) => new URL(String(path), self.location.origin).pathname);
  event.waitUntil(keep(paths.filter(isFile)));
});

async function keep(paths) {
  const kept = await caches.open(name);
  for (const path of [...paths, document])
    if ((await kept.match(path)) === undefined)
      await put(kept, path, await fetch(path).catch(() => undefined));
  const keys = await kept.keys();
  for (const oldest of keys.slice(0, Math.max(0, keys.length - mostFiles))) await kept.delete(oldest);
}

/** The server has the last word about the document; the one that is kept is for when it cannot be asked. */
async function page(event) {
  const kept = await caches.open(name);
  try {
    const answer = await fetch(event.request);
    if (!answer.redirected && isDocument(answer)) event.waitUntil(put(kept, document, answer.clone()));
    return answer;
  } catch (error) {
    const known = await kept.match(document);
    if (known === undefined) throw error;
    return known;
  }
}

const isDocument = ({ headers }) => (headers.get('Content-Type') ?? '').startsWith('text/html');

/** What cannot be had now, or not be kept since the disk is full, is asked for again the next time. */
async function put(kept, key, answer) {
  if (answer?.status === 200) await kept.put(key, answer).catch(() => undefined);
}
