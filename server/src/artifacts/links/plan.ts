import { invalid, Refusal, refuseTogether } from '../../kernel/errors.ts';
import { canReadLinks } from '../../search/index.ts';
import type { Transaction } from '../../storage/index.ts';
import {
  type LinkRequest,
  type StoredLink,
  stateOf,
  type Tracker,
  type TrackerView,
} from '../../trackers/index.ts';
import { linkField, parseDocument } from '../model.ts';
import {
  findArtifact,
  findLinks,
  findVisibilityRows,
  type LinkRow,
  lockVisibilityRows,
  type VisibilityRow,
} from '../store.ts';
import { type ReadContext, visibleOf } from '../visibility.ts';

/** Another artifact whose own links change because of a wish for links towards this one. */
export interface OtherEnd {
  readonly id: number;
  readonly tracker: Tracker;
  /** Its complete forward links before and after; 0 stands for an artifact that has no id yet. */
  readonly before: readonly StoredLink[];
  readonly after: readonly StoredLink[];
}

export interface LinkPlan {
  readonly before: readonly StoredLink[];
  /** The complete forward links, when they change. */
  readonly after: readonly StoredLink[] | undefined;
  readonly others: readonly OtherEnd[];
}

export const childType = '_is_child';

interface Situation {
  readonly readContext: ReadContext;
  readonly tx: Transaction;
  readonly tracker: Tracker;
  /** 0 for an artifact that is being made. */
  readonly artifactId: number;
}

function toLinks(rows: readonly LinkRow[], isForward: boolean): StoredLink[] {
  return rows.filter(({ is_forward }) => (is_forward === 1) === isForward).map(({ id, type }) => [id, type]);
}

export const isSameLinks = (left: readonly StoredLink[], right: readonly StoredLink[]) => {
  const types = new Map(left);
  return left.length === right.length && right.every(([id, type]) => types.get(id) === type);
};

async function typeFaults(
  situation: Situation,
  wanted: readonly StoredLink[],
  before: readonly StoredLink[],
): Promise<Refusal[]> {
  const known = new Map(before);
  const fresh = wanted.filter(([id, type]) => known.get(id) !== type && type !== '');
  if (fresh.length === 0) return [];
  const { readContext, tx, tracker } = situation;
  const usable = await readContext.trackers.linkTypes(tx, tracker.project.id, readContext.revisions);
  return fresh
    .filter(([, type]) => !usable.has(type))
    .map(([id, type]) =>
      invalid(`The link to artifact ${id} cannot have the type "${type}": it is unknown or not usable here.`),
    );
}

/** What does not exist and what the viewer may not see are refused in the same words, so that ids tell nothing. */
const missing = (id: number) => invalid(`There is no artifact ${id} to link.`);

/** Why an artifact cannot be linked; those who may know that it is there are told more. */
async function targetFault(
  { tx, readContext }: Situation,
  { id, tracker_id }: VisibilityRow,
  isSeen: boolean,
): Promise<Refusal | undefined> {
  const { trackers, viewer, revisions } = readContext;
  const tracker = await trackers.find(tx, tracker_id, revisions);
  if (tracker === undefined) return missing(id);
  const projectAccess = await trackers.projectAccess(tx, viewer, tracker.project.id, revisions);
  const isKnown = isSeen || projectAccess.isAdmin;
  if (!isKnown) return missing(id);
  if (tracker.isDeleted) return invalid(`The tracker of artifact ${id} is deleted.`);
  if (projectAccess.project?.status !== 'active')
    return invalid(`The project of artifact ${id} is not active.`);
  return isSeen ? undefined : missing(id);
}

/** Why those of the artifacts cannot be linked that cannot. */
async function targetFaults(
  situation: Situation,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Refusal>> {
  const found = await findVisibilityRows(situation.tx, ids);
  const rows = new Map(found.map((row) => [row.id, row]));
  const seen = new Set((await visibleOf(situation.readContext, found)).map(({ row }) => row.id));
  const faults = new Map<number, Refusal>();
  for (const id of ids) {
    const row = rows.get(id);
    const fault = row === undefined ? missing(id) : await targetFault(situation, row, seen.has(id));
    if (fault !== undefined) faults.set(id, fault);
  }
  return faults;
}

/** The wanted links, with those that the viewer does not see and so cannot mean to remove. */
async function completed(
  situation: Situation,
  wanted: readonly StoredLink[],
  rows: readonly LinkRow[],
): Promise<StoredLink[]> {
  const present = rows.filter(({ is_forward }) => is_forward === 1);
  const visible = new Set((await visibleOf(situation.readContext, present)).map(({ row }) => row.id));
  const named = new Set(wanted.map(([id]) => id));
  const hidden = present.filter(({ id }) => !visible.has(id) && !named.has(id));
  const complete = [...wanted, ...hidden.map(({ id, type }): StoredLink => [id, type])];
  return complete.sort(([left], [right]) => left - right);
}

/** What the links in the other direction shall become: type by the id of the other artifact, null for no link. */
async function reverseRequests(
  situation: Situation,
  { reverse, parent }: LinkRequest,
  rows: readonly LinkRow[],
): Promise<ReadonlyMap<number, string | null>> {
  const requests = new Map<number, string | null>();
  const present = rows.filter(({ is_forward }) => is_forward === 0);
  if (reverse !== undefined) {
    for (const { row, view } of await visibleOf(situation.readContext, present))
      if (canReadLinks(view)) requests.set(row.id, null);
    for (const [id, type] of reverse) requests.set(id, type);
  }
  // A parent that is not there is passed over, and so is one that the viewer does not see.
  const parents = parent === undefined ? [] : await findVisibilityRows(situation.tx, [parent]);
  for (const { row } of await visibleOf(situation.readContext, parents)) requests.set(row.id, childType);
  const known = new Map(toLinks(present, false));
  for (const [id, type] of requests) if (known.get(id) === type) requests.delete(id);
  requests.delete(situation.artifactId);
  return requests;
}

const cannotLink = (id: number, reason: string) =>
  new Refusal('invalid', '', { userMessage: `Artifact ${id} cannot be linked to this one: ${reason}` });

/** Why the links of another artifact cannot change so: what holds for a change of its own holds for this one. */
async function otherEndFault(
  tx: Transaction,
  view: TrackerView,
  { id, before, after }: OtherEnd,
): Promise<Refusal | undefined> {
  const field = linkField(view.tracker);
  if (field === undefined) return cannotLink(id, 'its tracker has no field for links.');
  const named = `The field ${view.nameOf(field)} of artifact ${id}`;
  if (!view.canUpdate(field))
    return invalid(`You are not allowed to update the field ${view.nameOf(field)} of artifact ${id}.`);
  if (field.isRequired && before.length > 0 && after.length === 0)
    return invalid(`${named} is required: its last link cannot be taken away.`);
  const row = view.tracker.workflow === undefined ? undefined : await findArtifact(tx, id);
  return row !== undefined && stateOf(view.tracker, parseDocument(row.document)).frozen.has(field.id)
    ? invalid(`${named} cannot be changed in its state.`)
    : undefined;
}

function withLink(links: readonly StoredLink[], id: number, type: string | null): StoredLink[] {
  const others = links.filter(([other]) => other !== id);
  return type === null ? others : [...others, [id, type]];
}

async function planOthers(
  situation: Situation,
  requests: ReadonlyMap<number, string | null>,
): Promise<{ others: OtherEnd[]; faults: Refusal[] }> {
  const named = [...requests.keys()].sort((left, right) => left - right);
  const unlinkable = await targetFaults(situation, named);
  const ids = named.filter((id) => !unlinkable.has(id));
  const visible = await visibleOf(situation.readContext, await lockVisibilityRows(situation.tx, ids));
  const links = await findLinks(situation.tx, ids);
  const others: OtherEnd[] = [];
  const faults: Refusal[] = [];
  for (const { row, view } of visible) {
    const before = toLinks(
      links.filter(({ of_id }) => of_id === row.id),
      true,
    );
    const after = withLink(before, situation.artifactId, requests.get(row.id) ?? null);
    const other = { id: row.id, tracker: view.tracker, before, after };
    const fault = await otherEndFault(situation.tx, view, other);
    if (fault === undefined) others.push(other);
    else faults.push(fault);
  }
  return { others, faults: [...unlinkable.values(), ...faults] };
}

/** Links that one change may add here, and artifacts whose own links it may change: everybody else waits meanwhile. */
const most = { added: 2000, others: 200 };

function refuseTooMany(added: number, others: number): void {
  if (added > most.added) throw invalid(`At most ${most.added} links can be added at once.`);
  if (others > most.others)
    throw invalid(`The links of at most ${most.others} other artifacts can be changed at once.`);
}

/** The complete links that are wished for; undefined where nothing is said of them. */
function wantedLinks(
  { forward, added, removed }: LinkRequest,
  before: readonly StoredLink[],
): readonly StoredLink[] | undefined {
  if (forward !== undefined || (added === undefined && removed === undefined)) return forward;
  const left = before.filter(([id]) => !(removed ?? []).includes(id));
  return [...new Map([...left, ...(added ?? [])])];
}

/** Works out and checks what a wish for links changes, before anything is written. */
export async function planLinks(situation: Situation, input: LinkRequest): Promise<LinkPlan> {
  const { tx, artifactId } = situation;
  const rows = artifactId === 0 ? [] : await findLinks(tx, [artifactId]);
  const before = toLinks(rows, true);
  const wanted = wantedLinks(input, before)?.filter(([id]) => id !== artifactId);
  const requests = await reverseRequests(situation, input, rows);
  // A link of another type is a new one; one that is there already is never refused, whatever it leads to.
  const known = new Map(before);
  const added = (wanted ?? []).filter(([id, type]) => known.get(id) !== type).map(([id]) => id);
  refuseTooMany(added.filter((id) => !known.has(id)).length, requests.size);
  const reverse = [...requests].flatMap(([id, type]): StoredLink[] => (type === null ? [] : [[id, type]]));
  const { others, faults } = await planOthers(situation, requests);
  refuseTogether([
    ...(await typeFaults(situation, wanted ?? [], before)),
    ...(await typeFaults(situation, reverse, toLinks(rows, false))),
    ...(await targetFaults(situation, added)).values(),
    ...faults,
  ]);
  const after = wanted && (await completed(situation, wanted, rows));
  return { before, after: after && isSameLinks(before, after) ? undefined : after, others };
}
