import { isAnonymous } from '../../kernel/viewer.ts';
import { endlessGroups, groupIds } from '../../projects/index.ts';
import type { Condition, TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import { canReadLinks, memberIds, sizeForAll, viewOfArtifact, viewsFor } from '../visibility.ts';
import { findMatching } from './patterns.ts';
import { commentGroups, type Linked, type Plan, type SearchScope } from './predicates.ts';
import type { SearchRun } from './search-index.ts';

const nothing: Plan = { is: 'nothing' };
const anything: Plan = { is: 'anything' };

/** Works out what the index itself cannot tell: who sees what, and what matches a pattern. */
export async function planOf(searchRun: SearchRun, condition: Condition): Promise<Plan> {
  switch (condition.is) {
    case 'all of':
    case 'any of': {
      const plans: Plan[] = [];
      for (const part of condition.conditions) plans.push(await planOf(searchRun, part));
      return { is: condition.is, plans };
    }
    case 'not':
      return { is: 'not', plan: await planOf(searchRun, condition.condition) };
    case 'listed':
      return condition.entries.length === 0 ? nothing : condition;
    case 'by':
      return condition.accountIds.length === 0 ? nothing : condition;
    case 'matching':
    case 'fact matching':
      return { is: 'these', ids: await findMatching(searchRun, condition) };
    case 'containing':
    case 'file':
      return condition.part === '' ? { is: 'filled', fieldId: condition.fieldId } : condition;
    case 'commented':
      return condition.part === '' ? anyComment(searchRun.scope) : condition;
    case 'measured':
    case 'fact':
      return searchRun.index.planRange(condition, searchRun.scope.view);
    case 'linked':
      return linkPlan(searchRun, condition);
    case 'referenced': {
      const far = await viewOfArtifact(searchRun.readContext, condition.id);
      return far === undefined ? nothing : { ...condition, far };
    }
    default:
      return condition;
  }
}

const anyComment = ({ view }: SearchScope): Plan => ({
  is: 'any of',
  plans: [{ is: 'commented publicly' }, { is: 'commented privately', groups: commentGroups(view) }],
});

async function linkPlan(searchRun: SearchRun, condition: Linked): Promise<Plan> {
  const { end, direction } = condition;
  if (direction === 'forward' && !canReadLinks(searchRun.scope.view)) return nothing;
  if (end.is === 'id in' || end.is === 'id matching') return seenEndPlan(searchRun, condition);
  if (end.is !== 'artifact') return placedEndPlan(searchRun, condition);
  const far = await viewOfArtifact(searchRun.readContext, end.id);
  return far === undefined || (direction === 'reverse' && !canReadLinks(far)) ? nothing : condition;
}

const hasName = ({ tracker }: TrackerView, { name, isNot }: { name: string; isNot: boolean }) =>
  (tracker.itemName.toLowerCase() === name.toLowerCase()) !== isNot;

/** How much of some trackers the viewer sees. */
interface Extents {
  readonly whole: TrackerView[];
  /** All that is not for certain groups. */
  readonly open: TrackerView[];
  readonly rest: TrackerView[];
}

async function extentsOf({ reader }: ReadContext, views: readonly TrackerView[]): Promise<Extents> {
  const extents: Extents = { whole: [], open: [], rest: [] };
  for (const view of views) {
    const seesAll = (await sizeForAll(reader, view)) !== undefined;
    (seesAll ? extents.whole : view.access.full ? extents.open : extents.rest).push(view);
  }
  return extents;
}

const trackerIds = (views: readonly TrackerView[]) => views.map(({ tracker }) => tracker.id);

/**
 * Links to or from anything, or anything in some trackers. Postings tell them by the tracker at the other end; who may see that
 * end is looked at only in trackers of which the viewer does not see everything.
 */
async function placedEndPlan(searchRun: SearchRun, { end, ...condition }: Linked): Promise<Plan> {
  const linked: Linked = { ...condition, end: { is: 'anything' } };
  const ends = await viewsOfEnds(searchRun, linked);
  const views = end.is === 'tracker' ? ends.views.filter((view) => hasName(view, end)) : ends.views;
  const { whole, open, rest } = await extentsOf(searchRun.readContext, views);
  const isEverywhere = ends.isEverywhere && whole.length + open.length === ends.views.length;
  const among = { whole: trackerIds(whole), open: trackerIds(open), isEverywhere };
  const plans: Plan[] = [
    ...(whole.length + open.length > 0 ? [{ ...linked, among }] : []),
    ...(open.length > 0 ? [{ ...linked, seen: { views: open, isRestricted: true } }] : []),
    ...(rest.length > 0 ? [{ ...linked, seen: { views: rest, isRestricted: false } }] : []),
  ];
  const [only = nothing] = plans;
  return plans.length > 1 ? { is: 'any of', plans } : only;
}

/** How the viewer sees the trackers at the other ends of links that they may read. */
async function viewsOfEnds(
  { readContext, scope, linkedTrackers }: SearchRun,
  { direction }: Linked,
): Promise<{ readonly views: readonly TrackerView[]; readonly isEverywhere: boolean }> {
  const ids = await linkedTrackers.from(scope.view.tracker.id, direction);
  const visible = await viewsFor(readContext, ids);
  const views = direction === 'reverse' ? visible.filter(canReadLinks) : visible;
  return { views, isEverywhere: views.length === ids.length };
}

/** Whoever asks for ids, even for many, learns of no link to or from what they do not see. */
async function seenEndPlan(searchRun: SearchRun, condition: Linked): Promise<Plan> {
  const { views } = await viewsOfEnds(searchRun, condition);
  if (views.length === 0) return nothing;
  const linked = { ...condition, seen: { views, isRestricted: false } };
  return linked.end.is === 'id matching'
    ? { is: 'these', ids: await findMatching(searchRun, linked) }
    : linked;
}

/** The artifacts of the tracker that the viewer may see, as `isVisible` tells it. */
export async function visiblePlan({ readContext, scope }: SearchRun): Promise<Plan> {
  const { access, canView, groups } = scope.view;
  if (!canView) return nothing;
  if (access.all) return anything;
  const granted: Plan = groups.length === 0 ? nothing : { is: 'granted', groups };
  const unrestricted: Plan = {
    is: 'any of',
    plans: [{ is: 'not', plan: { is: 'restricted' } }, granted],
  };
  if (access.full) return unrestricted;
  return {
    is: 'all of',
    plans: [{ is: 'any of', plans: await grantedPlans(readContext, scope) }, unrestricted],
  };
}

async function grantedPlans(readContext: ReadContext, { view, viewer }: SearchScope): Promise<Plan[]> {
  const { own, submitterGroups, assigneeGroups } = view.access;
  const contributor = view.tracker.semantics.contributor?.fieldId;
  const plans: Plan[] = [];
  if (own && !isAnonymous(viewer)) plans.push({ is: 'by', who: 'submitter', accountIds: [viewer.userId] });
  if (submitterGroups.some((id) => endlessGroups.includes(id))) plans.push(anything);
  else if (submitterGroups.length > 0) {
    const accountIds = await memberIds(readContext.reader, view, submitterGroups);
    if (accountIds.length > 0) plans.push({ is: 'by', who: 'submitter', accountIds });
  }
  if (assigneeGroups.length > 0 && contributor !== undefined)
    plans.push(await assignedPlan(readContext, view, contributor));
  return plans;
}

async function assignedPlan(
  readContext: ReadContext,
  view: SearchScope['view'],
  fieldId: number,
): Promise<Plan> {
  const groups = view.access.assigneeGroups;
  if (groups.some((id) => endlessGroups.includes(id))) return { is: 'filled', fieldId };
  const entries = (await memberIds(readContext.reader, view, groups)).filter((id) => id !== groupIds.nobody);
  return entries.length === 0 ? nothing : { is: 'listed', fieldId, entries };
}
