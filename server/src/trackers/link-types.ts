import type { Viewer } from '../kernel/viewer.ts';
import { requireProjectAccess } from '../projects/index.ts';
import { type Reader, statement } from '../storage/index.ts';

/** A type that links between artifacts can have. */
export interface LinkType {
  readonly shortname: string;
  readonly forwardLabel: string;
  readonly reverseLabel: string;
}

/** The types of the platform that people can choose, in the order in which they are offered. */
const offered = ['_is_child', '_covered_by'];

export const isSystemType = ({ shortname }: LinkType) => shortname.startsWith('_');

/** Whether every platform has a type. */
export const isEverywhere = ({ shortname }: LinkType) => offered.includes(shortname);

function placeOf(shortname: string): number {
  const place = offered.indexOf(shortname);
  return place === -1 ? offered.length : place;
}

const byPlace = (left: LinkType, right: LinkType) =>
  placeOf(left.shortname) - placeOf(right.shortname) || (left.shortname < right.shortname ? -1 : 1);

const allTypes = statement((sql) =>
  sql
    .selectFrom('link_type')
    .select(['shortname', 'forward_label as forwardLabel', 'reverse_label as reverseLabel']),
);

const usableTypes = statement((sql, p: { projectId: number }) =>
  sql
    .selectFrom('link_type')
    .select(['shortname', 'forward_label as forwardLabel', 'reverse_label as reverseLabel'])
    .where('shortname', 'not in', (row) =>
      row.selectFrom('disabled_link_type').select('shortname').where('project_id', '=', p.projectId),
    ),
);

export async function listLinkTypes(reader: Reader): Promise<LinkType[]> {
  return (await reader.all(allTypes, {})).sort(byPlace);
}

/** The types that can be chosen in a project. Links without type are always possible. */
export async function usableLinkTypes(reader: Reader, projectId: number): Promise<LinkType[]> {
  const types = await reader.all(usableTypes, { projectId });
  return types.filter((type) => !isSystemType(type) || offered.includes(type.shortname)).sort(byPlace);
}

/** The short names of the types that the project switched off. */
export async function readDisabledLinkTypes(
  reader: Reader,
  viewer: Viewer,
  projectId: number,
): Promise<string[]> {
  await requireProjectAccess(reader, viewer, projectId, 'project');
  const query = reader.sql.selectFrom('disabled_link_type').select('shortname').orderBy('shortname');
  return (await reader.all(query.where('project_id', '=', projectId))).map(({ shortname }) => shortname);
}
