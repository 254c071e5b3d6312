import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { readSearch, writeSearch } from './kernel/addresses.ts';
import { Frame } from './shell/index.ts';

/** A query of an address is texts; a page names those that it knows. */
const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (given: Record<string, unknown>): { [Each in Name]?: string } => {
    const found: { [Each in Name]?: string } = {};
    for (const name of names) {
      const value = given[name];
      if (typeof value === 'string' && value !== '') found[name] = value;
    }
    return found;
  };

const root = createRootRoute({ component: Frame });
const getParentRoute = () => root;

const home = createRoute({ getParentRoute, path: '/', validateSearch: texts('tab', 'group') });

export const router = createRouter({
  routeTree: root.addChildren([home]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch: (query) => ({ ...readSearch(query.replace(/^\?/, '')) }),
  stringifySearch: (parameters) => {
    const query = writeSearch(parameters);
    return query === '' ? '' : `?${query}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Which room shows a page. Said after the router has its type, since pages are typed by it; loaded when the page is opened. */
function shows<Name extends string>(
  route: AnyRoute,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
): void {
  route.update({ component: lazyRouteComponent(load, name) });
}

shows(home, () => import('./home/index.ts'), 'HomePage');
