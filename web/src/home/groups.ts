import type { Artifact } from '@atelier/client/routes';

export type Grouping = 'tracker' | 'project' | 'status';
export const groupings: readonly Grouping[] = ['tracker', 'project', 'status'];

export interface WorkGroup {
  readonly id: string;
  /** Stands before the name: the project of a tracker. */
  readonly before?: string | undefined;
  readonly name: string;
  readonly color?: string | undefined;
  readonly artifacts: readonly Artifact[];
}

type GroupHead = Omit<WorkGroup, 'artifacts'>;

function headOf(artifact: Artifact, grouping: Grouping, noStatus: string): GroupHead {
  const { tracker, project, full_status: status } = artifact;
  if (grouping === 'project') return { id: project.uri, name: project.label };
  if (grouping === 'status') return { id: status?.value ?? '', name: status?.value ?? noStatus };
  const color = 'color_name' in tracker ? tracker.color_name : undefined;
  return { id: tracker.uri, before: project.label, name: tracker.label, color };
}

/** Artifacts under headings, in the order in which the first of each comes. */
export function groupWork(
  artifacts: readonly Artifact[],
  grouping: Grouping,
  noStatus: string,
): readonly WorkGroup[] {
  const groups = new Map<string, { readonly head: GroupHead; readonly artifacts: Artifact[] }>();
  for (const artifact of artifacts) {
    const head = headOf(artifact, grouping, noStatus);
    const group = groups.get(head.id) ?? { head, artifacts: [] };
    group.artifacts.push(artifact);
    groups.set(head.id, group);
  }
  return [...groups.values()].map(({ head, artifacts: found }) => ({ ...head, artifacts: found }));
}
