import { invalid, Refusal } from '../kernel/errors.ts';
import type { Transaction } from '../storage/index.ts';
import {
  type LinkWish,
  type StoredLink,
  stateOf,
  type Tracker,
  type TrackerView,
} from '../trackers/index.ts';
import { type ArtifactRow, linkField, parseDocument } from './model.ts';
import { findArtifacts, findLinks, type LinkRow, lockArtifacts } from './store.ts';
import { type Sight, visibleOf } from './visibility.ts';

/** Another artifact whose own links change because of a wish for links towards this one. */
export interface OtherEnd {
  readonly row: ArtifactRow;
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
  readonly sight: Sight;
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

async function checkTypes(
  situation: Situation,
  wanted: readonly StoredLink[],
  before: readonly StoredLink[],
): Promise<void> {
  const known = new Map(before);
  const fresh = wanted.filter(([id, type]) => known.get(id) !== type && type !== '');
  if (fresh.length === 0) return;
  const { sight, tx, tracker } = situation;
  const usable = await sight.trackers.linkTypes(tx, tracker.project.id, sight.revisions);
  for (const [id, type] of fresh)
    if (!usable.has(type))
      throw invalid(
        `The link to artifact ${id} cannot have the type "${type}": it is unknown or not usable here.`,
      );
}

/** The artifacts that the wish names; refuses those that cannot be linked. */
async function requireTargets(
  { tx, sight }: Situation,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ArtifactRow>> {
  const rows = new Map((await findArtifacts(tx, ids)).map((row) => [row.id, row]));
  for (const id of ids) {
    const row = rows.get(id);
    const tracker = row && (await sight.trackers.find(tx, row.tracker_id, sight.revisions));
    if (row === undefined || tracker === undefined) throw invalid(`There is no artifact ${id} to link.`);
    if (tracker.isDeleted) throw invalid(`The tracker of artifact ${id} is deleted.`);
    const { project } = await sight.trackers.standing(tx, sight.viewer, tracker.project.id, sight.revisions);
    if (project?.status !== 'active') throw invalid(`The project of artifact ${id} is not active.`);
  }
  return rows;
}

/** The wanted links, with those that the viewer does not see and so cannot mean to remove. */
async function completed(
  situation: Situation,
  wanted: readonly StoredLink[],
  rows: readonly LinkRow[],
): Promise<StoredLink[]> {
  const present = rows.filter(({ is_forward }) => is_forward === 1);
  const visible = new Set((await visibleOf(situation.sight, present)).map(({ row }) => row.id));
  const named = new Set(wanted.map(([id]) => id));
  const hidden = present.filter(({ id }) => !visible.has(id) && !named.has(id));
  const complete = [...wanted, ...hidden.map(({ id, type }): StoredLink => [id, type])];
  return complete.sort(([left], [right]) => left - right);
}

/** What the links in the other direction shall become: type by the id of the other artifact, null for no link. */
async function reverseWishes(
  situation: Situation,
  { reverse, parent }: LinkWish,
  rows: readonly LinkRow[],
): Promise<ReadonlyMap<number, string | null>> {
  const wishes = new Map<number, string | null>();
  const present = rows.filter(({ is_forward }) => is_forward === 0);
  if (reverse !== undefined) {
    for (const { row } of await visibleOf(situation.sight, present)) wishes.set(row.id, null);
    for (const [id, type] of reverse) wishes.set(id, type);
  }
  if (parent !== undefined && (await findArtifacts(situation.tx, [parent])).length > 0)
    wishes.set(parent, childType);
  const known = new Map(toLinks(present, false));
  for (const [id, type] of wishes) if (known.get(id) === type) wishes.delete(id);
  wishes.delete(situation.artifactId);
  return wishes;
}

const cannotLink = (id: number, reason: string) =>
  new Refusal('invalid', '', { userMessage: `Artifact ${id} cannot be linked to this one: ${reason}` });

function requireEditableLinks({ id, document }: ArtifactRow, view: TrackerView): void {
  const field = linkField(view.tracker);
  if (field === undefined) throw cannotLink(id, 'its tracker has no field for links.');
  if (!view.canUpdate(field))
    throw invalid(`You are not allowed to update the field ${field.label} of artifact ${id}.`);
  const hasStates = view.tracker.workflow !== undefined;
  if (hasStates && stateOf(view.tracker, parseDocument(document)).frozen.has(field.id))
    throw invalid(`The field ${field.label} of artifact ${id} cannot be changed in its state.`);
}

function withLink(links: readonly StoredLink[], id: number, type: string | null): StoredLink[] {
  const others = links.filter(([other]) => other !== id);
  return type === null ? others : [...others, [id, type]];
}

async function planOthers(
  situation: Situation,
  wishes: ReadonlyMap<number, string | null>,
): Promise<OtherEnd[]> {
  const ids = [...wishes.keys()].sort((left, right) => left - right);
  if (ids.length === 0) return [];
  await requireTargets(situation, ids);
  const rows = await lockArtifacts(situation.tx, ids);
  const visible = new Map((await visibleOf(situation.sight, rows)).map((found) => [found.row.id, found]));
  const links = await findLinks(situation.tx, ids);
  return ids.map((id) => {
    const found = visible.get(id);
    if (found === undefined) throw cannotLink(id, 'you may not see it.');
    requireEditableLinks(found.row, found.view);
    const before = toLinks(
      links.filter(({ of_id }) => of_id === id),
      true,
    );
    const after = withLink(before, situation.artifactId, wishes.get(id) ?? null);
    return { row: found.row, tracker: found.view.tracker, before, after };
  });
}

/** Links that one change may add here, and artifacts whose own links it may change: everybody else waits meanwhile. */
const most = { added: 2000, others: 200 };

function refuseTooMany(added: number, others: number): void {
  if (added > most.added) throw invalid(`At most ${most.added} links can be added at once.`);
  if (others > most.others)
    throw invalid(`The links of at most ${most.others} other artifacts can be changed at once.`);
}

/** Works out and checks what a wish for links changes, before anything is written. */
export async function planLinks(situation: Situation, wish: LinkWish): Promise<LinkPlan> {
  const { tx, artifactId } = situation;
  const rows = artifactId === 0 ? [] : await findLinks(tx, [artifactId]);
  const before = toLinks(rows, true);
  const wanted = wish.forward?.filter(([id]) => id !== artifactId);
  const wishes = await reverseWishes(situation, wish, rows);
  const known = new Set(before.map(([id]) => id));
  refuseTooMany((wanted ?? []).filter(([id]) => !known.has(id)).length, wishes.size);
  const reverse = [...wishes].flatMap(([id, type]): StoredLink[] => (type === null ? [] : [[id, type]]));
  await checkTypes(situation, wanted ?? [], before);
  await checkTypes(situation, reverse, toLinks(rows, false));
  await requireTargets(
    situation,
    (wanted ?? []).map(([id]) => id).filter((id) => !known.has(id)),
  );
  const after = wanted && (await completed(situation, wanted, rows));
  const others = await planOthers(situation, wishes);
  return { before, after: after && isSameLinks(before, after) ? undefined : after, others };
}
