import { createHash } from 'node:crypto';
import { nameOf, type RouteContract, routes } from '@atelier/contract';
import type { Plugin } from 'vite';

const specifier = '@atelier/client/routes';
const moduleId = '\0atelier-routes';

/** What there is of a route when the application runs: its schemas are for the compiler and the server. */
function constantOf(route: RouteContract): string {
  const { method, path, paging, produces } = route;
  return `export const ${nameOf(route)} = ${JSON.stringify({ method, path, paging, produces })};`;
}

/**
 * Gives the application the routes of the contract as plain constants. With their schemas and descriptions they would be larger than all
 * the rest of what must arrive before the first page is drawn.
 */
export function slimRoutes(): Plugin {
  const all: readonly RouteContract[] = routes;
  return {
    name: 'atelier-slim-routes',
    enforce: 'pre',
    resolveId: (source) => (source === specifier ? moduleId : undefined),
    load: (id) => (id === moduleId ? all.map(constantOf).join('\n') : undefined),
  };
}

/** Another one when anything in the contract is another. */
export function contractDigest(): string {
  return createHash('sha256').update(JSON.stringify(routes)).digest('hex').slice(0, 16);
}
