import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nameOf, type RouteContract, routes } from '@atelier/contract';
import type { Plugin } from 'vite';

const specifier = '@atelier/client/routes';
const everyRoute = '\0atelier-routes';
const firstRoutes = '\0atelier-first-routes';
const laterRoutes = '\0atelier-later-routes';

/** Rooms that a table is made of. What they ask for is needed by nearly every page; the routes of all others arrive with the first of them. */
const firstRooms = ['store', 'shell', 'fields', 'tracker'];

/** What there is of a route when the application runs: its schemas are for the compiler and the server. */
function constantOf(route: RouteContract): string {
  const { method, path, paging, produces } = route;
  return `export const ${nameOf(route)} = ${JSON.stringify({ method, path, paging, produces })};`;
}

/** The words in files that stand in the first rooms themselves; what is in folders of theirs arrives later. */
function wordsOfFirstRooms(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const room of firstRooms) {
    const folder = new URL(`src/${room}/`, import.meta.url);
    for (const file of readdirSync(fileURLToPath(folder)))
      if (/\.tsx?$/.test(file))
        for (const [word] of readFileSync(new URL(file, folder), 'utf8').matchAll(/\w+/g)) words.add(word);
  }
  return words;
}

/**
 * Gives the application the routes of the contract as plain constants. With their schemas and descriptions they would be larger than all
 * the rest of what must arrive before the first page is drawn.
 */
export function slimRoutes(): Plugin {
  const all: readonly RouteContract[] = routes;
  const words = wordsOfFirstRooms();
  const isFirst = (route: RouteContract) => words.has(nameOf(route));
  const modules = new Map([
    [everyRoute, `export * from '${firstRoutes}';\nexport * from '${laterRoutes}';`],
    [firstRoutes, all.filter(isFirst).map(constantOf).join('\n')],
    [
      laterRoutes,
      all
        .filter((route) => !isFirst(route))
        .map(constantOf)
        .join('\n'),
    ],
  ]);
  return {
    name: 'atelier-slim-routes',
    enforce: 'pre',
    resolveId: (source) => (source === specifier ? everyRoute : modules.has(source) ? source : undefined),
    load: (id) => {
      const code = modules.get(id);
      return code === undefined ? undefined : { code, moduleSideEffects: false };
    },
  };
}

/** Another one when anything in the contract is another. */
export function contractDigest(): string {
  return createHash('sha256').update(JSON.stringify(routes)).digest('hex').slice(0, 16);
}
