import {
  type AnyRoute,
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { readSearch, writeSearch } from './kernel/addresses.ts';
import { loadAllWords } from './messages/index.ts';
import { BrokenPage, Frame, loadSigning, NotFoundPage } from './shell/index.ts';
import type { OfferedViews } from './tracker/index.ts';
import { afterPaint, isArriving, loadControls } from './ui/index.ts';

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

const root = createRootRoute({ component: Frame, notFoundComponent: NotFoundPage });
const getParentRoute = () => root;

/** Pages of people who are not in yet. */
const staticData = { isBare: true };

const home = createRoute({ getParentRoute, path: '/', validateSearch: texts('tab', 'group') });
const login = createRoute({ getParentRoute, path: '/login', validateSearch: texts('return_to'), staticData });
const lostPassword = createRoute({ getParentRoute, path: '/password/lost', staticData });
const resetPassword = createRoute({
  getParentRoute,
  path: '/password/reset',
  validateSearch: texts('token'),
  staticData,
});
const account = createRoute({ getParentRoute, path: '/account/$page' });
const platformAdmin = createRoute({
  getParentRoute,
  path: '/admin/$page',
  validateSearch: texts('words', 'status', 'order', 'kind', 'actor', 'from'),
});
const projects = createRoute({
  getParentRoute,
  path: '/projects',
  validateSearch: texts('words', 'of', 'order'),
});
const newProject = createRoute({ getParentRoute, path: '/projects/new' });
const project = createRoute({ getParentRoute, path: '/projects/$name' });
const projectTrackers = createRoute({ getParentRoute, path: '/projects/$name/trackers' });
const projectMembers = createRoute({ getParentRoute, path: '/projects/$name/members' });
const projectDashboards = createRoute({ getParentRoute, path: '/projects/$name/dashboards' });
const dashboard = createRoute({ getParentRoute, path: '/dashboards/$id' });
const projectAdmin = createRoute({
  getParentRoute,
  path: '/projects/$name/admin/$page',
  validateSearch: texts('event'),
});
const projectSvn = createRoute({ getParentRoute, path: '/projects/$name/svn' });
const ofRepository = { getParentRoute, validateSearch: texts('rev', 'from', 'to') };
const repository = createRoute({ ...ofRepository, path: '/svn/$id' });
const repositoryPage = createRoute({ ...ofRepository, path: '/svn/$id/$' });
const namedRepository = createRoute({ ...ofRepository, path: '/projects/$name/svn/$repository' });
const namedRepositoryPage = createRoute({ ...ofRepository, path: '/projects/$name/svn/$repository/$' });
const artifact = createRoute({ getParentRoute, path: '/artifacts/$id' });
const newArtifact = createRoute({
  getParentRoute,
  path: '/trackers/$id/new',
  validateSearch: (given: Record<string, unknown>) => given,
});
const importing = createRoute({ getParentRoute, path: '/trackers/$id/import' });
const trackerAdmin = createRoute({ getParentRoute, path: '/trackers/$id/admin/$page' });
const search = createRoute({
  getParentRoute,
  path: '/search',
  validateSearch: texts('words', 'project', 'tracker', 'open', 'artifact'),
});
const query = createRoute({
  getParentRoute,
  path: '/query',
  validateSearch: texts('tql', 'saved', 'artifact'),
});
const inbox = createRoute({
  getParentRoute,
  path: '/inbox',
  validateSearch: texts('tab', 'reason', 'project', 'artifact'),
});
const person = createRoute({ getParentRoute, path: '/users/$name' });
const help = createRoute({ getParentRoute, path: '/help', validateSearch: texts('words') });
const controls = createRoute({ getParentRoute, path: '/help/controls' });
const helpPage = createRoute({ getParentRoute, path: '/help/$page' });
const helpPageBelow = createRoute({ getParentRoute, path: '/help/$folder/$page' });

const tracker = createRoute({
  getParentRoute,
  path: '/trackers/$id',
  validateSearch: texts('view', 'report', 'q', 'words', 'f', 'sort', 'group', 'cols', 'set', 'open'),
});

const history = createBrowserHistory();
const { subscribe } = history;
/** Another page is drawn once whoever asked for it has seen that they were heard. Where they are is known at once. */
history.subscribe = (tell) =>
  subscribe((change) => {
    router.updateLatestLocation();
    afterPaint(() => tell(change));
  });

export const router = createRouter({
  history,
  routeTree: root.addChildren([
    home,
    login,
    lostPassword,
    resetPassword,
    account,
    platformAdmin,
    projects,
    newProject,
    project,
    projectTrackers,
    projectMembers,
    projectDashboards,
    dashboard,
    projectAdmin,
    projectSvn,
    repository,
    repositoryPage,
    namedRepository,
    namedRepositoryPage,
    artifact,
    newArtifact,
    importing,
    trackerAdmin,
    search,
    query,
    inbox,
    person,
    help,
    helpPage,
    helpPageBelow,
    controls,
    tracker,
  ]),
  defaultErrorComponent: BrokenPage,
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch: (query) => ({ ...readSearch(query.replace(/^\?/, '')) }),
  stringifySearch: (parameters) => {
    const query = writeSearch(parameters);
    return query === '' ? '' : `?${query}`;
  },
});

/** Whether all code of the page at hand is there, so that it has asked for what it shows. */
export const isPageThere = () => router.state.status === 'idle' && !isArriving();

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Pages that are forms or texts are drawn with all of their controls and words at once. */
const withControls =
  <Room>(load: () => Promise<Room>) =>
  async (): Promise<Room> =>
    (await Promise.all([load(), loadControls(), loadAllWords()]))[0];

/** Pages that show an artifact or ask for one are drawn with all values at once. */
const withFields =
  <Room>(load: () => Promise<Room>) =>
  async (): Promise<Room> =>
    (await Promise.all([load(), import('./fields/index.ts').then((fields) => fields.loadFieldParts())]))[0];

/** Which room shows a page. Said after the router has its type, since pages are typed by it; loaded when the page is opened. */
function shows<Name extends string>(
  route: AnyRoute,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
): void {
  route.update({ component: lazyRouteComponent(withControls(load), name) });
}

/** Lists are seen before anything that one types into. */
function showsRows<Name extends string>(
  route: AnyRoute,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
): void {
  route.update({ component: lazyRouteComponent(load, name) });
}

shows(login, loadSigning, 'SignInPage');
shows(lostPassword, loadSigning, 'LostPasswordPage');
shows(resetPassword, loadSigning, 'ResetPasswordPage');
shows(account, () => import('./account/index.ts'), 'AccountPage');
shows(platformAdmin, () => import('./platform-admin/index.ts'), 'PlatformAdminPage');
shows(projects, () => import('./projects/index.ts'), 'ProjectsPage');
shows(newProject, () => import('./projects/index.ts'), 'NewProjectPage');
shows(project, () => import('./projects/index.ts'), 'ProjectPage');
shows(projectTrackers, () => import('./projects/index.ts'), 'ProjectTrackersPage');
shows(projectMembers, () => import('./projects/index.ts'), 'MembersPage');
for (const [route, name] of [
  [projectDashboards, 'ProjectDashboardsPage'],
  [dashboard, 'DashboardPage'],
] as const)
  shows(
    route,
    withFields(() => import('./dashboards/index.ts')),
    name,
  );
shows(projectAdmin, () => import('./project-admin/index.ts'), 'ProjectAdminPage');
shows(projectSvn, () => import('./svn/index.ts'), 'RepositoriesPage');
for (const route of [repository, repositoryPage])
  shows(route, () => import('./svn/index.ts'), 'RepositoryPage');
for (const route of [namedRepository, namedRepositoryPage])
  shows(route, () => import('./svn/index.ts'), 'NamedRepositoryPage');
shows(search, () => import('./search/index.ts'), 'SearchPage');
shows(query, () => import('./queries/index.ts'), 'QueryPage');
shows(inbox, () => import('./inbox/index.ts'), 'InboxPage');
shows(person, () => import('./people/index.ts'), 'PersonPage');
shows(help, () => import('./help/index.ts'), 'HelpIndexPage');
for (const route of [helpPage, helpPageBelow]) shows(route, () => import('./help/index.ts'), 'HelpPage');
shows(controls, () => import('./help/index.ts'), 'ControlsPage');
showsRows(home, async () => (await Promise.all([import('./home/index.ts'), loadAllWords()]))[0], 'HomePage');
shows(
  artifact,
  withFields(() => import('./artifact/index.ts')),
  'ArtifactPage',
);
/** Views of a tracker that are no table: which room draws them. One line makes a view one that is offered. */
const views: OfferedViews = {
  board: async () => (await withControls(() => import('./board/index.ts'))()).BoardView,
  calendar: async () => (await Promise.all([import('./timeline/index.ts'), loadAllWords()]))[0].CalendarView,
  timeline: async () => (await Promise.all([import('./timeline/index.ts'), loadAllWords()]))[0].TimelineView,
  charts: async () => (await Promise.all([import('./charts/index.ts'), loadAllWords()]))[0].ChartsView,
};
showsRows(
  tracker,
  async () => {
    const room = await import('./tracker/index.ts');
    room.offerViews(views);
    return room;
  },
  'TrackerPage',
);
shows(
  newArtifact,
  withFields(() => import('./creation/index.ts')),
  'CreationPage',
);
shows(
  importing,
  withFields(() => import('./tracker/index.ts')),
  'ImportPage',
);
shows(
  trackerAdmin,
  withFields(() => import('./tracker-admin/index.ts')),
  'TrackerAdminPage',
);
