import type * as contract from '@atelier/contract';
import { gather, readArtifact } from '../../../artifacts/index.ts';
import { requireDashboard } from '../../../dashboards/index.ts';
import type { VisitedPlace } from '../../../identity/index.ts';
import { invalid, Refusal } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { type PresentedStatus, statusOf, titleOf, ValueWriter } from '../../../present/index.ts';
import { type Project, readProject, shortnameKey } from '../../../projects/index.ts';
import { requireReport, type TrackerView } from '../../../trackers/index.ts';
import { presentationOf } from '../../in-parts.ts';
import type { Services } from '../../services.ts';

type Kind = contract.Favorite['kind'];

/** A place as somebody sees it who may. */
export interface SeenPlace {
  readonly kind: Kind;
  readonly id: number;
  readonly title: string;
  readonly xref: string | null;
  readonly url: string;
  /** The tracker that it is, or lies in. */
  readonly color: string | null;
  /** Null for what belongs to a person. */
  readonly project: Project | null;
  readonly status: PresentedStatus | null;
}

const collections: Readonly<Record<string, Kind>> = {
  projects: 'project',
  trackers: 'tracker',
  tracker_reports: 'report',
  dashboards: 'dashboard',
  artifacts: 'artifact',
};

export function uriOf({ kind, id }: VisitedPlace): string {
  const name = Object.keys(collections).find((collection) => collections[collection] === kind);
  return `${name}/${id}`;
}

/** The place that a `uri` names. */
export function placeOf(uri: string, member: string): VisitedPlace {
  const [, collection = '', id = ''] = /^([a-z_]+)\/([1-9]\d{0,14})$/.exec(uri) ?? [];
  const kind = Object.hasOwn(collections, collection) ? collections[collection] : undefined;
  if (kind === undefined)
    throw invalid(
      `Invalid value specified for \`${member}\`. Expected the uri of a project, a tracker, a report, a dashboard or an artifact, such as artifacts/42.`,
    );
  return { kind, id: Number(id) };
}

type Look = (services: Services, viewer: Viewer, id: number) => Promise<Omit<SeenPlace, 'kind' | 'id'>>;

async function projectOf({ database }: Services, viewer: Viewer, { tracker }: TrackerView): Promise<Project> {
  return (await readProject(database, viewer, tracker.project.id)).project;
}

/** Reads what a place shows of itself; refuses as the place itself does. */
const looks: Readonly<Record<Kind, Look>> = {
  async project({ database }, viewer, id) {
    const { project } = await readProject(database, viewer, id);
    const url = `/projects/${shortnameKey(project.shortname)}`;
    return { title: project.label, xref: null, url, color: null, project, status: null };
  },
  async tracker(services, viewer, id) {
    const { database, trackers } = services;
    const view = await trackers.require(database, viewer, id, await database.revisions());
    const { name, color } = view.tracker;
    const url = `/plugins/tracker/?tracker=${id}`;
    return {
      title: name,
      xref: null,
      url,
      color,
      project: await projectOf(services, viewer, view),
      status: null,
    };
  },
  async report(services, viewer, id) {
    const { database, trackers } = services;
    const revisions = await database.revisions();
    const { report, view } = await requireReport(database, viewer, id, { trackers, revisions });
    const url = `/plugins/tracker/?report=${id}`;
    const project = await projectOf(services, viewer, view);
    return { title: report.name, xref: null, url, color: view.tracker.color, project, status: null };
  },
  async dashboard({ database }, viewer, id) {
    const { dashboard } = await requireDashboard(database, viewer, id);
    const { title, projectId } = dashboard;
    const project = projectId === null ? null : (await readProject(database, viewer, projectId)).project;
    return { title, xref: null, url: `/dashboards/${id}`, color: null, project, status: null };
  },
  async artifact(services, viewer, id) {
    const { database, trackers } = services;
    const { readContext, artifact } = await readArtifact(database, viewer, trackers, id);
    const presentation = await presentationOf(services, readContext);
    const writer = new ValueWriter(artifact, await gather(readContext, []), presentation);
    const { tracker } = artifact.view;
    return {
      title: titleOf(artifact, writer) ?? '',
      xref: `${tracker.itemName} #${id}`,
      url: `/plugins/tracker/?aid=${id}`,
      color: tracker.color,
      project: await projectOf(services, viewer, artifact.view),
      status: statusOf(artifact, writer),
    };
  },
};

/** A place as the viewer sees it; refuses what they may not see. */
export async function requirePlace(
  services: Services,
  viewer: Viewer,
  { kind, id }: VisitedPlace,
): Promise<SeenPlace> {
  const known = Object.values(collections).find((name) => name === kind);
  if (known === undefined) throw invalid('There is no such kind of place.');
  return { kind: known, id, ...(await looks[known](services, viewer, id)) };
}

/** The same; undefined for what is gone or hidden. */
export async function findPlace(
  services: Services,
  viewer: Viewer,
  place: VisitedPlace,
): Promise<SeenPlace | undefined> {
  return requirePlace(services, viewer, place).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}
