import type { Messages } from '../messages/index.ts';
import type { WorkArtifact } from './calls.ts';

export type Grouping = 'tracker' | 'project' | 'status' | 'due';
export const groupings: readonly Grouping[] = ['project', 'tracker', 'status', 'due'];

export interface WorkGroup {
  readonly id: string;
  /** Stands before the name: the project of a tracker. */
  readonly before?: string | undefined;
  readonly name: string;
  readonly color?: string | undefined;
  readonly artifacts: readonly WorkArtifact[];
}

type GroupHead = Omit<WorkGroup, 'artifacts'>;

type Words = Pick<Messages['home'], 'noStatus' | 'overdue' | 'today' | 'thisWeek' | 'later' | 'noDate'>;

/** How near the end of an artifact is: what is over comes first. */
const nearness = ['overdue', 'today', 'thisWeek', 'later', 'noDate'] as const;
export type Nearness = (typeof nearness)[number];

function nearnessOf(artifact: WorkArtifact, daysUntil: (iso: string) => number): Nearness {
  const { due_date: due, is_overdue: isOverdue } = artifact;
  if (due === null) return 'noDate';
  const days = daysUntil(due);
  if (isOverdue || days < 0) return 'overdue';
  if (days === 0) return 'today';
  return days <= 7 ? 'thisWeek' : 'later';
}

export interface GroupingWish {
  readonly grouping: Grouping;
  readonly words: Words;
  daysUntil(iso: string): number;
}

function headOf(artifact: WorkArtifact, { grouping, words, daysUntil }: GroupingWish): GroupHead {
  const { tracker, project, full_status: status } = artifact;
  if (grouping === 'project') return { id: project.uri, name: project.label };
  if (grouping === 'status') return { id: status?.value ?? '', name: status?.value ?? words.noStatus };
  if (grouping === 'due') {
    const near = nearnessOf(artifact, daysUntil);
    return { id: near, name: words[near] };
  }
  return { id: tracker.uri, before: project.label, name: tracker.label, color: tracker.color_name };
}

/** Artifacts under headings, in the order in which the first of each comes; by day, the nearest first. */
export function groupWork(artifacts: readonly WorkArtifact[], wish: GroupingWish): readonly WorkGroup[] {
  const groups = new Map<string, { readonly head: GroupHead; readonly artifacts: WorkArtifact[] }>();
  if (wish.grouping === 'due')
    for (const near of nearness)
      groups.set(near, { head: { id: near, name: wish.words[near] }, artifacts: [] });
  for (const artifact of artifacts) {
    const head = headOf(artifact, wish);
    const group = groups.get(head.id) ?? { head, artifacts: [] };
    group.artifacts.push(artifact);
    groups.set(head.id, group);
  }
  return [...groups.values()]
    .filter((group) => group.artifacts.length > 0)
    .map(({ head, artifacts: found }) => ({ ...head, artifacts: found }));
}
