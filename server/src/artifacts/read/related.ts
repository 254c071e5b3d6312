import { type FileFacts, findFiles } from '../../files/index.ts';
import { type Soon, whenThere } from '../../kernel/soon.ts';
import {
  type Field,
  type Need,
  type OutsideReference,
  type Stored,
  type StoredLink,
  type TrackerView,
  typedLabels,
} from '../../trackers/index.ts';
import { crossReferences, findReferences, type ReferenceRow, readableReferences } from '../links/index.ts';
import type { Artifact, Document, Links, Neighbour } from '../model.ts';
import { findLinks, findVisibilityRows, type LinkRow, type VisibilityRow } from '../store.ts';
import { readBurndowns, readTotals, type ShownTotals, type Totals } from '../totals/index.ts';
import { type ReadContext, visibleOf } from '../visibility.ts';

/** All that is shown with some artifacts and is not kept on their rows. */
export interface RelatedData {
  readonly links: ReadonlyMap<number, Links>;
  /** Artifacts that the viewer may see among those that are linked or referred to. */
  readonly neighbours: ReadonlyMap<number, Neighbour>;
  readonly references: readonly ReferenceRow[];
  /** What else names them. */
  readonly outside: ReadonlyMap<number, readonly OutsideReference[]>;
  readonly files: ReadonlyMap<number, FileFacts>;
  readonly typedValues: ReadonlyMap<number, string>;
  readonly totals: Totals;
  /** Whether the counter of an artifact's related data tells of every change of what it shows. */
  readonly isCounted: boolean;
  readonly burndowns: ReadonlyMap<number, string>;
}

const none: ReadonlyMap<number, never> = new Map<number, never>();

/** What artifacts without any such field need. */
const nothing: RelatedData = {
  links: none,
  neighbours: none,
  references: [],
  outside: none,
  files: none,
  typedValues: none,
  totals: new Map(),
  isCounted: true,
  burndowns: none,
};

const noTotals: ShownTotals = { totals: nothing.totals, areKept: true };
const noLinks: Links = { forward: [], reverse: [] };
export const linksOf = ({ links }: RelatedData, id: number): Links => links.get(id) ?? noLinks;

function groupLinks(rows: readonly LinkRow[]): ReadonlyMap<number, Links> {
  const links = new Map<number, { forward: StoredLink[]; reverse: StoredLink[] }>();
  for (const { of_id, id, type, is_forward } of rows) {
    const own = links.get(of_id) ?? { forward: [], reverse: [] };
    links.set(of_id, own);
    (is_forward === 1 ? own.forward : own.reverse).push([id, type]);
  }
  return links;
}

async function findNeighbours(
  readContext: ReadContext,
  links: readonly LinkRow[],
  others: readonly number[],
): Promise<ReadonlyMap<number, Neighbour>> {
  return asNeighbours(await visibleOf(readContext, await withVisibilityRows(readContext, links, others)));
}

function asNeighbours(
  visible: readonly { row: VisibilityRow; view: TrackerView }[],
): ReadonlyMap<number, Neighbour> {
  const neighbours = new Map<number, Neighbour>();
  for (const { row, view } of visible) neighbours.set(row.id, { id: row.id, view });
  return neighbours;
}

/** What is known from links of who may see the artifacts, and what must still be found out of the others. */
async function withVisibilityRows(
  { reader }: ReadContext,
  links: readonly LinkRow[],
  others: readonly number[],
): Promise<readonly VisibilityRow[]> {
  if (others.length === 0) return links;
  const known = new Set(links.map(({ id }) => id));
  const missing = [...new Set(others)].filter((id) => !known.has(id));
  return [...links, ...(await findVisibilityRows(reader, missing))];
}

/** Everything that one of the artifacts needs. */
function needsOf(artifacts: readonly Artifact[]): ReadonlySet<Need> {
  const [first] = artifacts;
  if (first !== undefined && artifacts.length === 1) return first.view.needs;
  const views = new Set(artifacts.map(({ view }) => view));
  return new Set([...views].flatMap(({ needs }) => [...needs]));
}

/** What the values of some fields point to, over several documents of one artifact or many. */
function collect(
  artifacts: readonly { fields: readonly Field[]; document: Document }[],
  pick: (field: Field, value: Stored) => readonly number[] | undefined,
): number[] {
  const ids = new Set<number>();
  for (const { fields, document } of artifacts)
    for (const field of fields) {
      const value = document[field.id];
      if (value !== undefined) for (const id of pick(field, value) ?? []) ids.add(id);
    }
  return [...ids];
}

/** Past values of link fields, for history. */
const linkedIds = (field: Field, value: Stored): number[] =>
  field.type.acceptLinks !== undefined && Array.isArray(value)
    ? value.flatMap((link) => (Array.isArray(link) ? Number(link[0]) : []))
    : [];

interface Gathering {
  readonly past?: readonly { readonly fields: readonly Field[]; readonly document: Document }[];
  /** The links of the artifacts, where they are known already. */
  readonly links?: readonly LinkRow[] | undefined;
  /** What is needed, where that is not all that the trackers have. */
  readonly needs?: ReadonlySet<Need>;
}

/** Fetches for all artifacts at once what showing them takes; `past`: older documents that are shown too. */
export function gather(
  readContext: ReadContext,
  artifacts: readonly Artifact[],
  { past = [], links, needs = needsOf(artifacts) }: Gathering = {},
): Soon<RelatedData> {
  if (needs.size === 0) return nothing;
  const ids = artifacts.map(({ row }) => row.id);
  const linkRows = needs.has('links') ? (links ?? findLinks(readContext.reader, ids)) : [];
  return whenThere(linkRows, (rows) =>
    // Most trackers have links and nothing else that is not on the row.
    needs.size === 1 && past.length === 0 && needs.has('links')
      ? whenThere(visibleOf(readContext, rows), (visible) => ({
          ...nothing,
          links: groupLinks(rows),
          neighbours: asNeighbours(visible),
        }))
      : gatherAll(readContext, artifacts, { past, links: rows, needs }),
  );
}

async function gatherAll(
  readContext: ReadContext,
  artifacts: readonly Artifact[],
  { past, links: linkRows, needs }: Required<Gathering>,
): Promise<RelatedData> {
  const ids = artifacts.map(({ row }) => row.id);
  const { reader } = readContext;
  const documents = [...artifacts.map(({ view, document }) => ({ fields: view.shown, document })), ...past];
  const found = needs.has('references') ? await findReferences(reader, ids) : [];
  const others = [
    ...found.flatMap(({ source_id, target_id }) => [source_id, target_id]),
    ...collect(past, linkedIds),
  ];
  const files = needs.has('files') ? collect(documents, ({ type }, value) => type.value?.files?.(value)) : [];
  const typed = needs.has('typed values')
    ? collect(documents, ({ type }, value) => type.value?.typedValues?.(value))
    : [];
  const neighbours =
    linkRows.length + others.length === 0 ? none : await findNeighbours(readContext, linkRows, others);
  const own = new Map(artifacts.map(({ row, view }) => [row.id, view]));
  const references = await readableReferences(reader, found, (id) => own.get(id) ?? neighbours.get(id)?.view);
  const { totals, areKept } = needs.has('totals') ? await readTotals(readContext, artifacts) : noTotals;
  return {
    links: groupLinks(linkRows),
    neighbours,
    references,
    outside: needs.has('references') ? await outsideReferences(readContext, ids) : none,
    files: await findFiles(reader, files),
    typedValues: await typedLabels(reader, typed),
    totals,
    // Charts change with the hour.
    isCounted: areKept && !needs.has('burndown'),
    burndowns: needs.has('burndown') ? await readBurndowns(readContext, artifacts, totals) : none,
  };
}

/** What names artifacts and is none, as far as the viewer may know of it. */
export async function outsideReferences(
  { reader, viewer, trackers }: Pick<ReadContext, 'reader' | 'viewer' | 'trackers'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly OutsideReference[]>> {
  const found = new Map<number, readonly OutsideReference[]>();
  for (const source of trackers.referenceSources)
    for (const [id, references] of await source.referencesTo(reader, viewer, ids))
      found.set(id, [...(found.get(id) ?? []), ...references]);
  return found;
}

export const outsideReferencesOf = ({ outside }: RelatedData, id: number) => outside.get(id) ?? [];

export const referencesOf = (related: RelatedData, artifact: Neighbour) =>
  crossReferences(artifact, related.references, linksOf(related, artifact.id), related.neighbours);
