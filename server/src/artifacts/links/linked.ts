import { type Page, type Slice, slice } from '../../kernel/paging.ts';
import { canReadLinks } from '../../search/index.ts';
import { type Reader, type SqlBuilder, statement } from '../../storage/index.ts';
import { type LinkType, listLinkTypes, type TrackerView } from '../../trackers/index.ts';
import { type Artifact, linkField } from '../model.ts';
import { findLinks, type LinkRow } from '../store.ts';
import { type ReadContext, visibleOf } from '../visibility.ts';

export type Direction = 'forward' | 'reverse';

/** A type of links that an artifact has in one direction. */
export interface Nature {
  readonly type: string;
  readonly direction: Direction;
  readonly label: string;
}

/** Whoever may not read the field that an artifact has for links sees none of it, in either direction. */
const mayReadLinks = (view: TrackerView): boolean =>
  linkField(view.tracker) === undefined || canReadLinks(view);

type LinkEnd = 'source_id' | 'target_id';

/** The types of the links seen from one end, as far as something that is alive is at the other, in the order of the links. */
function typesFrom(builder: SqlBuilder, end: LinkEnd, other: LinkEnd, id: number) {
  return builder
    .selectFrom('artifact_link')
    .innerJoin('artifact', 'artifact.id', `artifact_link.${other}`)
    .innerJoin('tracker', 'tracker.id', 'artifact.tracker_id')
    .innerJoin('project', 'project.id', 'tracker.project_id')
    .select('artifact_link.type')
    .where(`artifact_link.${end}`, '=', id)
    .where('tracker.deleted_at', 'is', null)
    .where('project.status', '=', 'active')
    .groupBy('artifact_link.type')
    .orderBy((row) => row.fn.min('artifact.id'));
}

const typesForward = statement((builder, p: { id: number }) =>
  typesFrom(builder, 'source_id', 'target_id', p.id),
);
const typesReverse = statement((builder, p: { id: number }) =>
  typesFrom(builder, 'target_id', 'source_id', p.id),
);

const untyped: LinkType = { shortname: '', forwardLabel: 'is Linked to', reverseLabel: 'is Linked from' };

/** The types of the present links, whoever may see what they lead to. */
export async function listNatures({ reader }: ReadContext, { row, view }: Artifact): Promise<Nature[]> {
  if (!mayReadLinks(view)) return [];
  const known = new Map([untyped, ...(await listLinkTypes(reader))].map((type) => [type.shortname, type]));
  const forward = await reader.all(typesForward, { id: row.id });
  const reverse = await reader.all(typesReverse, { id: row.id });
  return [
    ...forward.map(({ type }): Nature => {
      return { type, direction: 'forward', label: known.get(type)?.forwardLabel ?? type };
    }),
    ...reverse.map(({ type }): Nature => {
      return { type, direction: 'reverse', label: known.get(type)?.reverseLabel ?? type };
    }),
  ];
}

/** A link as seen from one end. */
export interface LabelledLink {
  /** The artifact at the other end. */
  readonly id: number;
  readonly type: string;
  readonly label: string;
}

/** The links of an artifact in one direction, whoever may see what they lead to. */
export async function linkLabels(reader: Reader, id: number, direction: Direction): Promise<LabelledLink[]> {
  const known = new Map([untyped, ...(await listLinkTypes(reader))].map((type) => [type.shortname, type]));
  const wanted = direction === 'forward' ? 1 : 0;
  const links = (await findLinks(reader, [id])).filter(({ is_forward }) => is_forward === wanted);
  return links.map(({ id: other, type }) => {
    const labels = known.get(type);
    const label = direction === 'forward' ? labels?.forwardLabel : labels?.reverseLabel;
    return { id: other, type, label: label ?? type };
  });
}

/** Which links are asked for. */
export interface LinkSelection {
  /** Absent: both, forward first. */
  readonly direction?: Direction | undefined;
  /** Absent: all, where both directions are asked for; else those without a type. */
  readonly type?: string | undefined;
}

function isSelected({ direction, type }: LinkSelection, link: LinkRow): boolean {
  const isDirected = direction === undefined || (direction === 'forward') === (link.is_forward === 1);
  if (direction === undefined && type === undefined) return true;
  return isDirected && link.type === (type ?? '');
}

/** A page of the ids of the artifacts that the viewer may see among those linked in this way, each once. */
export async function listLinked(
  readContext: ReadContext,
  { row, view }: Artifact,
  { direction, type, ...page }: Page & LinkSelection,
): Promise<Slice<number>> {
  if (!mayReadLinks(view)) return { items: [], size: 0 };
  const links = await findLinks(readContext.reader, [row.id]);
  const fitting = links.filter((link) => isSelected({ direction, type }, link));
  const visible = await visibleOf(readContext, fitting);
  const told = visible.filter((found) => found.row.is_forward === 1 || canReadLinks(found.view));
  const inOrder = told
    .map((found) => found.row)
    .sort((left, right) => right.is_forward - left.is_forward || left.id - right.id);
  return slice([...new Set(inOrder.map(({ id }) => id))], page);
}
