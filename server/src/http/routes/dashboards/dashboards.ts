import * as contract from '@atelier/contract';
import {
  copiedRows,
  type Dashboard,
  listDashboards,
  requireDashboard,
  requireShown,
  rowsFrom,
  type SeenDashboard,
  type ShownWidget,
  shownWidgets,
} from '../../../dashboards/index.ts';
import { forbidden, Refusal } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const presentMinimal = ({ dashboard, mayChange }: SeenDashboard): contract.MinimalDashboard => ({
  id: dashboard.id,
  uri: `dashboards/${dashboard.id}`,
  title: dashboard.title,
  project_id: dashboard.projectId,
  is_default: dashboard.isDefault,
  version: dashboard.version,
  may_change: mayChange,
});

const presentWidget = ({
  id,
  kind,
  title,
  label,
  isHidden,
  settings,
}: ShownWidget): contract.DashboardWidget => ({ id, kind, title, label, is_hidden: isHidden, settings });

const lookingOf = ({ database, trackers }: Services, viewer: Viewer) => ({ database, viewer, trackers });

async function present(services: Services, viewer: Viewer, seen: SeenDashboard): Promise<contract.Dashboard> {
  const { rows } = seen.dashboard;
  const widgets = await shownWidgets(lookingOf(services, viewer), rows);
  return {
    ...presentMinimal(seen),
    rows: rows.map(({ cells }) => ({
      cells: cells.map((cell) => ({
        width: cell.width,
        widgets: cell.widgets.flatMap(({ id }) => {
          const widget = widgets.get(id);
          return widget === undefined ? [] : [presentWidget(widget)];
        }),
      })),
    })),
  };
}

const nothing = { rows: [], nextWidgetId: 1 };

/** What a new dashboard takes over from another one. */
async function contentFrom(services: Services, viewer: Viewer, id: number | undefined) {
  if (id === undefined) return nothing;
  const { dashboard } = await requireDashboard(services.database, viewer, id);
  const seen = await shownWidgets(lookingOf(services, viewer), dashboard.rows);
  return { rows: copiedRows(dashboard.rows, seen), nextWidgetId: dashboard.nextWidgetId };
}

/** As the work says; where somebody else was first, with what is there now. */
async function tellingCurrent<T>(
  services: Services,
  viewer: Viewer,
  id: number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    const seen = await requireDashboard(services.database, viewer, id);
    const current = { dashboard: await present(services, viewer, seen) };
    throw new Refusal('conflict', error.detail, { ...error.extras, current });
  }
}

type Replacement = contract.BodyOf<typeof contract.putDashboard>;

async function replace(
  services: Services,
  viewer: Viewer,
  id: number,
  { version, title, is_default: isDefault, rows: given }: Replacement,
): Promise<Dashboard> {
  const { dashboard, mayChange } = await requireDashboard(services.database, viewer, id);
  if (!mayChange) throw forbidden('Only project administrators may do this.');
  if (dashboard.version !== version)
    throw new Refusal('conflict', `The dashboard was changed: its version is ${dashboard.version}.`);
  const looking = lookingOf(services, viewer);
  const seen = await shownWidgets(looking, dashboard.rows);
  const hidden = new Set([...seen.values()].filter(({ isHidden }) => isHidden).map((widget) => widget.id));
  const { rows, nextWidgetId } = rowsFrom(given, dashboard, hidden);
  await requireShown(looking, rows, dashboard.rows);
  const replacement = { id, version, title, isDefault, rows, nextWidgetId };
  return services.operations.replaceDashboard(viewer, replacement);
}

export function dashboardBindings(services: Services): RouteBinding[] {
  const { database, operations, publicUrl } = services;
  return [
    bind(contract.listDashboards, async ({ viewer, query: { project_id: projectId } }) => ({
      body: (await listDashboards(database, viewer, { projectId })).map(presentMinimal),
    })),
    bind(contract.createDashboard, async ({ viewer, body }) => {
      const content = await contentFrom(services, viewer, body.from_dashboard_id);
      const request = { title: body.title, projectId: body.project_id, content };
      const dashboard = await operations.createDashboard(viewer, request);
      return {
        body: await present(services, viewer, { dashboard, mayChange: true }),
        headers: { Location: `${publicUrl}/api/v1/dashboards/${dashboard.id}` },
      };
    }),
    bind(contract.getDashboard, async ({ viewer, params }) => ({
      body: await present(services, viewer, await requireDashboard(database, viewer, params.id)),
    })),
    bind(contract.putDashboard, async ({ viewer, params: { id }, body }) =>
      tellingCurrent(services, viewer, id, async () => {
        const dashboard = await replace(services, viewer, id, body);
        return { body: await present(services, viewer, { dashboard, mayChange: true }) };
      }),
    ),
    bind(contract.deleteDashboard, async ({ viewer, params }) => {
      await operations.deleteDashboard(viewer, { id: params.id });
      return {};
    }),
  ];
}
