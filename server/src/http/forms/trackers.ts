import type { FormElement, Tracker as PresentedTracker } from '@atelier/contract';
import type { Viewer } from '../../kernel/viewer.ts';
import { type ArtifactForm, presentElement, presentTracker } from '../../present/index.ts';
import type { Revisions } from '../../storage/index.ts';
import { byRank, type Field, type Tracker, type TrackerView } from '../../trackers/index.ts';
import type { Services } from '../services.ts';
import { type FormContext, formContext } from './context.ts';

async function describedElement(
  field: Field,
  view: TrackerView,
  context: FormContext,
  artifact?: ArtifactForm,
): Promise<FormElement> {
  const described = (await field.type.describe?.(field, context)) ?? {};
  return presentElement(field, view, described, context, artifact);
}

/** One element of the form as the viewer sees it. */
export async function presentFormElement(
  services: Services,
  viewer: Viewer,
  view: TrackerView,
  field: Field,
): Promise<FormElement> {
  return describedElement(field, view, await formContext(services, viewer, view.tracker));
}

/** One element without what depends on who looks and without what only its type has. */
export async function presentPlainElement(
  services: Services,
  viewer: Viewer,
  view: TrackerView,
  field: Field,
): Promise<FormElement> {
  const element = await presentFormElement(services, viewer, view, field);
  const { is_time_displayed, hint, file_creation_uri, max_size_upload, allowed_types, ...common } = element;
  return { ...common, permissions: [], permissions_for_groups: null };
}

/** Another tracker of the project, when the viewer may see it. */
async function neighbour(
  { trackers, database }: Services,
  viewer: Viewer,
  id: number | null,
  revisions: Revisions,
): Promise<Tracker | undefined> {
  const tracker = id === null ? undefined : await trackers.find(database, id, revisions);
  if (tracker === undefined) return undefined;
  const { canView } = await trackers.view(database, viewer, tracker, revisions);
  return canView ? tracker : undefined;
}

function impliedFrom({ semantics: { timeframe } }: Tracker): number | null {
  return timeframe !== undefined && 'impliedFromTrackerId' in timeframe
    ? timeframe.impliedFromTrackerId
    : null;
}

async function takesChanges(
  { trackers, database }: Services,
  viewer: Viewer,
  { project: { id } }: Tracker,
  revisions: Revisions,
): Promise<boolean> {
  const { project } = await trackers.projectAccess(database, viewer, id, revisions);
  return project?.status === 'active';
}

/** The whole structure of a tracker as the viewer sees it; in answers about an artifact, as its state leaves it. */
export async function describeTracker(
  services: Services,
  viewer: Viewer,
  view: TrackerView,
  revisions: Revisions,
  artifact?: ArtifactForm,
): Promise<PresentedTracker> {
  const { tracker } = view;
  const context = await formContext(services, viewer, tracker);
  const fields: FormElement[] = [];
  for (const field of [...view.readable].sort(byRank))
    fields.push(await describedElement(field, view, context, artifact));
  return presentTracker(view, {
    fields,
    group: context.group,
    parent: await neighbour(services, viewer, tracker.parentId, revisions),
    timeframeSource: await neighbour(services, viewer, impliedFrom(tracker), revisions),
    takesChanges: view.canSubmit && (await takesChanges(services, viewer, tracker, revisions)),
  });
}
