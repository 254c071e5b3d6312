import { groupName, type ProjectReference, type Tracker } from '../trackers/index.ts';
import { presentEmbeddedUserGroup } from './user-groups.ts';

/** Remembers what was written for something that never changes. */
function remembered<Thing extends object>(write: (thing: Thing) => string): (thing: Thing) => string {
  const known = new WeakMap<Thing, string>();
  return (thing) => {
    const text = known.get(thing) ?? write(thing);
    known.set(thing, text);
    return text;
  };
}

export const projectReferenceText = remembered(({ id, label, icon }: ProjectReference) =>
  JSON.stringify({ id, uri: `projects/${id}`, label, icon }),
);

/** The form in which links and created artifacts name their tracker. */
export const trackerReferenceText = remembered(
  ({ id, name, color, project }: Tracker) =>
    `{"id":${id},"uri":"trackers/${id}","label":${JSON.stringify(name)},"color":${JSON.stringify(color)}` +
    `,"project":${projectReferenceText(project)}}`,
);

/** The form inside artifacts. */
export const minimalTrackerText = remembered(
  ({ id, name, color, project }: Tracker) =>
    `{"id":${id},"uri":"trackers/${id}","label":${JSON.stringify(name)},"color_name":${JSON.stringify(color)}` +
    `,"project":${projectReferenceText(project)},"cannot_create_reasons":null}`,
);

type Labels = Parameters<typeof presentEmbeddedUserGroup>[1];

/** The reference form of a group of the tracker's project; undefined when there is none (any more). */
export function trackerGroup({ project, projectGroups }: Tracker, id: number, labels: Labels) {
  const name = groupName(projectGroups, id);
  return name === undefined
    ? undefined
    : presentEmbeddedUserGroup({ id, name, projectId: project.id }, labels);
}

export function groupText(tracker: Tracker, id: number, labels: Labels): string | undefined {
  const group = trackerGroup(tracker, id, labels);
  return group && JSON.stringify(group);
}
