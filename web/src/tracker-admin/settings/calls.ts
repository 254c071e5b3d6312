import {
  type AllSemantics,
  type BodyOf,
  createTracker,
  type DeletedArtifact,
  deleteReport,
  deleteTracker,
  getReportSettings,
  getRules,
  getSemantics,
  getTracker,
  getTrackerSettings,
  listDeletedArtifacts,
  listReports,
  listTriggers,
  patchReportSettings,
  patchTrackerSettings,
  putRules,
  putSemantics,
  putTriggers,
  type Report,
  restoreArtifact,
  restoreTracker,
  type Tracker,
  type TrackerSettings,
  type Trigger,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { trackersKey } from '../../shell/index.ts';
import { client, queries } from '../../store/index.ts';
import { inTurn, readAgain, trackerUri } from '../calls.ts';

export type { AllSemantics, DeletedArtifact, Report, TrackerSettings, Trigger };
export type SettingsWish = BodyOf<typeof patchTrackerSettings>;
export type SemanticsWish = BodyOf<typeof putSemantics>;

const params = (id: number) => ({ params: { id } });

export const useTrackerSettings = (id: number) =>
  useQuery({
    queryKey: [trackerUri(id), 'settings'],
    staleTime: 0,
    queryFn: ({ signal }) => client.call(getTrackerSettings, { ...params(id), signal }),
  });

export const readTrackerSettings = (id: number): Promise<TrackerSettings> =>
  client.call(getTrackerSettings, params(id));

/** The list of trackers of the project tells names and parents too. */
async function changedInProject(id: number, projectId: number): Promise<void> {
  await Promise.all([
    readAgain(id),
    queries.invalidateQueries({ queryKey: trackersKey(`projects/${projectId}`) }),
  ]);
}

export async function changeTracker({ id, project }: Tracker, body: SettingsWish): Promise<void> {
  await client.call(patchTrackerSettings, { ...params(id), body });
  await changedInProject(id, project.id);
}

export async function copyTracker(
  sourceId: number,
  wish: { readonly projectId: number; readonly label: string; readonly itemName: string },
): Promise<number> {
  const { id } = await client.call(createTracker, {
    params: { id: wish.projectId },
    body: { label: wish.label, item_name: wish.itemName, from_tracker_id: sourceId },
  });
  await queries.invalidateQueries({ queryKey: trackersKey(`projects/${wish.projectId}`) });
  return id;
}

export async function removeTracker({ id, project }: Tracker): Promise<void> {
  await client.call(deleteTracker, params(id));
  await queries.invalidateQueries({ queryKey: trackersKey(`projects/${project.id}`) });
}

export async function bringTrackerBack({ id, project }: Tracker): Promise<void> {
  await client.call(restoreTracker, { ...params(id), body: {} });
  await changedInProject(id, project.id);
}

export const useSemantics = (id: number) =>
  useQuery({
    queryKey: [trackerUri(id), 'semantics'],
    staleTime: 0,
    queryFn: ({ signal }) => client.call(getSemantics, { ...params(id), signal }),
  });

/** Changes what fields mean, on top of what somebody else may have changed meanwhile. */
export const changeSemantics = (id: number, change: (now: AllSemantics) => SemanticsWish): Promise<void> =>
  inTurn(async () => {
    const body = change(await client.call(getSemantics, params(id)));
    await client.call(putSemantics, { ...params(id), body });
    await readAgain(id);
  });

export type Rules = Awaited<ReturnType<typeof readRules>>;
export type DateRule = Rules['dates'][number];
export type ListRule = Rules['lists'][number];

const readRules = (id: number, signal?: AbortSignal) => client.call(getRules, { ...params(id), signal });

export const useRules = (id: number) =>
  useQuery({
    queryKey: [trackerUri(id), 'rules'],
    staleTime: 0,
    queryFn: ({ signal }) => readRules(id, signal),
  });

/** Changes rules on top of what somebody else may have changed meanwhile. */
export const changeRules = (
  id: number,
  change: (now: Rules) => { readonly dates?: DateRule[]; readonly lists?: ListRule[] },
): Promise<void> =>
  inTurn(async () => {
    const body = change(await readRules(id));
    await client.call(putRules, { ...params(id), body });
    await readAgain(id);
  });

export const useTriggers = (id: number) =>
  useQuery({
    queryKey: [trackerUri(id), 'triggers'],
    staleTime: 0,
    queryFn: ({ signal }) => client.call(listTriggers, { ...params(id), signal }),
  });

export const changeTriggers = (
  id: number,
  change: (now: readonly Trigger[]) => readonly Omit<Trigger, 'id'>[],
): Promise<void> =>
  inTurn(async () => {
    const triggers = change(await client.call(listTriggers, params(id))).map(
      ({ condition, target, children }) => ({ condition, target, children }),
    );
    await client.call(putTriggers, { ...params(id), body: { triggers } });
    await readAgain(id);
  });

/** Whole trackers by their ids. */
export const useTrackersWhole = (ids: readonly number[]) =>
  useQuery({
    queryKey: ['trackers', 'whole', ...ids],
    staleTime: 0,
    queryFn: ({ signal }) => Promise.all(ids.map((id) => client.call(getTracker, { ...params(id), signal }))),
  });

export const useDeletedArtifacts = (id: number) =>
  useQuery({
    queryKey: [trackerUri(id), 'deleted'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const query = { query: JSON.stringify({ tracker_id: id }), limit: 50 };
      const { body, page } = await client.send(listDeletedArtifacts, { query, signal });
      return { artifacts: body, size: page?.size ?? body.length };
    },
  });

export async function bringArtifactBack(trackerId: number, id: number): Promise<void> {
  await client.call(restoreArtifact, params(id));
  await readAgain(trackerId);
}

export const useViews = (id: number) =>
  useQuery({
    queryKey: [trackerUri(id), 'views'],
    staleTime: 0,
    queryFn: ({ signal }) => client.call(listReports, { ...params(id), query: { limit: 1000 }, signal }),
  });

export const readViewName = async (id: number): Promise<string> =>
  (await client.call(getReportSettings, params(id))).label;

export async function changeView(
  trackerId: number,
  id: number,
  body: { readonly label?: string; readonly is_default?: boolean },
): Promise<void> {
  await client.call(patchReportSettings, { ...params(id), body });
  await readAgain(trackerId);
}

export async function removeView(trackerId: number, id: number): Promise<void> {
  await client.call(deleteReport, params(id));
  await readAgain(trackerId);
}
