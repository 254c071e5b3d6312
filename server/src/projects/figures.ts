import type { Instant } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Reader, statementOverIds } from '../storage/index.ts';
import type { ProjectExtension } from './extension.ts';
import { listedStatuses } from './group-members.ts';
import type { Project } from './model.ts';

/** What lists of projects tell beside the projects themselves. */
export interface ProjectFigures {
  readonly memberCount: number;
  /** When something last happened in it that the viewer may know of, its creation included. */
  readonly lastActivityAt: Instant;
}

const idsAtOnce = 500;

const memberCountsOf = statementOverIds((sql, ids) =>
  sql
    .selectFrom('project_member')
    .innerJoin('account', 'account.id', 'project_member.account_id')
    .select((row) => ['project_member.project_id', row.fn.countAll<number>().as('size')])
    .where('project_member.project_id', 'in', ids)
    .where('account.status', 'in', listedStatuses.dynamic)
    .groupBy('project_member.project_id'),
);

const creationsOf = statementOverIds((sql, ids) =>
  sql.selectFrom('project').select(['id', 'created_at']).where('id', 'in', ids),
);

async function memberCounts(reader: Reader, projectIds: readonly number[]) {
  const rows = await reader.all(...memberCountsOf(projectIds));
  return new Map(rows.map(({ project_id, size }) => [project_id, size]));
}

async function lastActivities(
  reader: Reader,
  viewer: Viewer,
  projectIds: readonly number[],
  extensions: readonly ProjectExtension[],
): Promise<ReadonlyMap<number, Instant>> {
  const rows = await reader.all(...creationsOf(projectIds));
  const last = new Map(rows.map(({ id, created_at }) => [id, created_at]));
  for (const extension of extensions)
    for (const { projectId, at } of (await extension.lastActivities?.(reader, viewer, projectIds)) ?? [])
      last.set(projectId, Math.max(at, last.get(projectId) ?? 0));
  return last;
}

/** The figures of projects that the viewer may access, by id. */
export async function readFigures(
  reader: Reader,
  viewer: Viewer,
  projects: readonly Pick<Project, 'id'>[],
  extensions: readonly ProjectExtension[],
): Promise<ReadonlyMap<number, ProjectFigures>> {
  const figures = new Map<number, ProjectFigures>();
  for (let start = 0; start < projects.length; start += idsAtOnce) {
    const ids = projects.slice(start, start + idsAtOnce).map(({ id }) => id);
    const counts = await memberCounts(reader, ids);
    const last = await lastActivities(reader, viewer, ids, extensions);
    for (const id of ids)
      figures.set(id, { memberCount: counts.get(id) ?? 0, lastActivityAt: last.get(id) ?? 0 });
  }
  return figures;
}
