import { canReadLinks } from '../../search/index.ts';
import type { Reader } from '../../storage/index.ts';
import type { TrackerView } from '../../trackers/index.ts';
import { hiddenComments } from '../comments.ts';
import type { CrossReference, Links, Neighbour } from '../model.ts';

/** A reference found in a text, at one end of which is one of the artifacts asked about. */
export interface ReferenceRow {
  readonly source_id: number;
  /** The text: `field:301` for a value, `comment:77` for the comment of a changeset. */
  readonly origin: string;
  readonly target_id: number;
  readonly target_keyword: string;
}

/** References between artifacts that have one of these at one end. */
export async function findReferences(reader: Reader, ids: readonly number[]): Promise<ReferenceRow[]> {
  if (ids.length === 0) return [];
  const between = reader.sql
    .selectFrom('cross_reference')
    .select(['source_id', 'origin', 'target_id', 'target_keyword'])
    .where('source_kind', '=', 'artifact')
    .where('target_kind', '=', 'artifact');
  return reader.all(between.where('source_id', 'in', ids).union(between.where('target_id', 'in', ids)));
}

const idIn = (origin: string, kind: 'field' | 'comment') =>
  origin.startsWith(`${kind}:`) ? Number(origin.slice(kind.length + 1)) : undefined;

/** Those of the references that stand in texts which the viewer may read; `viewOf`: how they see the sources. */
export async function readableReferences(
  reader: Reader,
  rows: readonly ReferenceRow[],
  viewOf: (sourceId: number) => TrackerView | undefined,
): Promise<ReferenceRow[]> {
  const comments = rows.flatMap(({ source_id, origin }) => {
    const [id, view] = [idIn(origin, 'comment'), viewOf(source_id)];
    return id === undefined || view === undefined ? [] : [[id, view] as const];
  });
  const hidden = await hiddenComments(reader, new Map(comments));
  return rows.filter(({ source_id, origin }) => {
    const view = viewOf(source_id);
    const field = view?.tracker.elementById.get(idIn(origin, 'field') ?? 0);
    if (field !== undefined) return view?.canRead(field);
    const comment = idIn(origin, 'comment');
    return view !== undefined && comment !== undefined && !hidden.has(comment);
  });
}

type End = 'source' | 'target';

/** Everything at the other end of a link or reference of an artifact. */
export async function findNeighbourIds(reader: Reader, id: number): Promise<number[]> {
  const { sql } = reader;
  const link = (end: End, other: End) =>
    sql.selectFrom('artifact_link').select(`${other}_id as id`).where(`${end}_id`, '=', id);
  const reference = (end: End, other: End) =>
    sql
      .selectFrom('cross_reference')
      .select(`${other}_id as id`)
      .where(`${end}_kind`, '=', 'artifact')
      .where(`${end}_id`, '=', id)
      .where(`${other}_kind`, '=', 'artifact');
  const rows = await reader.all(
    link('source', 'target')
      .union(link('target', 'source'))
      .union(reference('source', 'target'))
      .union(reference('target', 'source')),
  );
  return rows.map((row) => row.id);
}

const order = { out: 0, in: 1, both: 2 } as const;

/**
 * What an artifact refers to and what refers to it, as far as the other ends are among the neighbours. A link is told by
 * the field that holds it, which is that of the artifact it comes from.
 */
export function crossReferences(
  { id, view }: Neighbour,
  rows: readonly ReferenceRow[],
  links: Links,
  neighbours: ReadonlyMap<number, Neighbour>,
): CrossReference[] {
  const viewOf = (other: number) => neighbours.get(other)?.view;
  const outgoing = new Map<number, string>();
  if (canReadLinks(view))
    for (const [other] of links.forward) outgoing.set(other, viewOf(other)?.tracker.itemName ?? '');
  for (const row of rows) if (row.source_id === id) outgoing.set(row.target_id, row.target_keyword);
  const incoming = new Set<number>();
  for (const [other] of links.reverse) {
    const source = viewOf(other);
    if (source !== undefined && canReadLinks(source)) incoming.add(other);
  }
  for (const row of rows) if (row.target_id === id) incoming.add(row.source_id);
  outgoing.delete(id);
  incoming.delete(id);
  const found = [...new Set([...outgoing.keys(), ...incoming])].flatMap((other): CrossReference[] => {
    const neighbour = neighbours.get(other);
    if (neighbour === undefined) return [];
    const keyword = outgoing.get(other);
    const direction = keyword === undefined ? 'in' : incoming.has(other) ? 'both' : 'out';
    const { project, itemName } = neighbour.view.tracker;
    return [{ keyword: keyword ?? itemName, value: String(other), projectId: project.id, direction }];
  });
  return found.sort((a, b) => order[a.direction] - order[b.direction] || Number(a.value) - Number(b.value));
}
