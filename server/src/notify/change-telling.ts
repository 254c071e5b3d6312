import { type Artifact, mayReadComment, visibleOf } from '../artifacts/index.ts';
import type { ArtifactReadDeps, ChangesetPlace, Onlookers, SeenChange } from './artifact-changes.ts';
import { artifactMailTo, isWanted, isWorthTelling } from './artifact-mail.ts';
import { mutes } from './choices.ts';
import type { DigestOrder, MailOrder, NotificationOrder, Showing } from './model.ts';
import type { Reason } from './reasons.ts';
import { audienceOf, type Cause, reasonsFor } from './recipients.ts';
import { type MatchChanges, matchesOf } from './searches.ts';
import { type NotificationWishes, wishesOf } from './wishes.ts';

/** What telling people of a change takes. */
export interface TellingDeps extends ArtifactReadDeps {
  readonly sendsMail: boolean;
  readonly onlookers: Onlookers;
  showing(): Promise<Showing>;
}

/** What people are told of a change. */
interface Telling {
  readonly mails: readonly MailOrder[];
  readonly notifications: readonly NotificationOrder[];
  readonly digested: readonly DigestOrder[];
  /** What watched searches find now. */
  readonly matches: MatchChanges;
}

/** Somebody who is told of a change. */
interface Told {
  /** Whether it is not the change that they are told of, but that a watched search finds the artifact by now. */
  readonly isByTime?: boolean;
  readonly accountId: number;
  readonly causes: readonly Cause[];
  readonly wishes: NotificationWishes;
}

/** What of a change somebody may see, and which reasons to be told of it they may know. */
interface Sight extends Pick<NotificationOrder, 'fieldIds' | 'hasComment'> {
  readonly reasons: readonly Reason[];
}

/** Undefined where that is nothing. */
async function sightOf(
  seen: SeenChange,
  { accountId, causes, isByTime = false }: Told,
  deps: TellingDeps,
): Promise<Sight | undefined> {
  const { change } = seen;
  const { row, document } = seen.artifact;
  if (isByTime) return { fieldIds: [], hasComment: false, reasons: causes.map(({ reason }) => reason) };
  const readContext = await deps.onlookers.person(accountId);
  if (readContext === undefined) return undefined;
  const [visible] = await visibleOf(readContext, [row]);
  if (visible === undefined) return undefined;
  const artifact: Artifact = { row, view: visible.view, document };
  // What is told of changes of the status alone tells that it has changed.
  if (!isWorthTelling({ ...seen, artifact })) return undefined;
  const { comment } = change;
  const hasComment = comment !== null && comment.content !== '' && mayReadComment(artifact.view, comment);
  const reasons = reasonsFor(causes, artifact.view, hasComment);
  if (change.isCreation) return { fieldIds: [], hasComment, reasons };
  const fields = artifact.view.shown.filter(({ id }) => Object.hasOwn(change.changes, id));
  const sight = { fieldIds: fields.map(({ id }) => id), hasComment, reasons };
  if (hasComment || fields.some(({ type }) => type.acceptLinks === undefined)) return sight;
  if (fields.length === 0) return undefined;
  // Of links, those alone are seen that lead to artifacts which the recipient sees.
  const { differences } = await (await deps.showing()).describe(readContext, artifact, change);
  return differences.length > 0 ? sight : undefined;
}

/** What comes into somebody's inbox. Their own changes do not. */
async function notificationTo(
  { artifact, change }: SeenChange,
  { accountId, wishes, isByTime = false }: Told,
  { reasons, ...sight }: Sight,
  deps: TellingDeps,
): Promise<NotificationOrder | undefined> {
  const reason = reasons.find((one) => wishes.reasons[one].inbox);
  if (reason === undefined || (accountId === change.by && !isByTime)) return undefined;
  const about = { trackerId: artifact.row.tracker_id, artifactId: artifact.row.id };
  if (await mutes(deps.database, accountId, about)) return undefined;
  const { id: changesetId, by, at } = change;
  return { accountId, artifactId: artifact.row.id, changesetId, reason, by, at, ...sight };
}

/** The mail to somebody, at once or with others in one that sums up. */
async function mailTo(
  seen: SeenChange,
  { accountId, wishes }: Told,
  { reasons }: Sight,
): Promise<{ readonly mail?: MailOrder; readonly item?: DigestOrder }> {
  const { artifact, change } = seen;
  const reason = reasons.find((one) => wishes.reasons[one].mail);
  if (reason === undefined || !(await isWanted(seen, { accountId, address: null }))) return {};
  const place = { artifactId: artifact.row.id, changesetId: change.id };
  if (wishes.digest !== 'none') return { item: { accountId, ...place, reason, digest: wishes.digest } };
  const { id: projectId } = artifact.view.tracker.project;
  return { mail: artifactMailTo(place, projectId, reason, { accountId, address: null }) };
}

/** Mails to addresses that belong to nobody. */
async function mailsToAddresses(
  seen: SeenChange,
  addresses: ReadonlyMap<string, Reason>,
): Promise<MailOrder[]> {
  const place = { artifactId: seen.artifact.row.id, changesetId: seen.change.id };
  const { id: projectId } = seen.artifact.view.tracker.project;
  const mails: MailOrder[] = [];
  for (const [address, reason] of addresses) {
    const to = { accountId: null, address };
    if (await isWanted(seen, to)) mails.push(artifactMailTo(place, projectId, reason, to));
  }
  return mails;
}

const noMatches: MatchChanges = { found: [], lost: [] };

/** Those who are told, with those for whom a watched search has found the artifact. */
function withSearchers(
  accounts: ReadonlyMap<number, readonly Cause[]>,
  { found }: MatchChanges,
): ReadonlyMap<number, readonly Cause[]> {
  const all = new Map(accounts);
  for (const accountId of new Set(found.map((match) => match.accountId)))
    all.set(accountId, [...(accounts.get(accountId) ?? []), { reason: 'search' }]);
  return all;
}

/** Tells one person that a watched search finds an artifact, of which its last change is told. */
export async function tellOfMatch(
  place: ChangesetPlace,
  accountId: number,
  deps: TellingDeps,
): Promise<Omit<Telling, 'matches'>> {
  const seen = await deps.onlookers.platform(place);
  if (seen === undefined || !isWorthTelling(seen)) return { mails: [], notifications: [], digested: [] };
  const wishes = await wishesOf(deps.database, [accountId]);
  const told: Told = { accountId, causes: [{ reason: 'search' }], wishes: wishes(accountId), isByTime: true };
  return tellOne(seen, told, deps);
}

async function tellOne(
  seen: SeenChange,
  told: Told,
  deps: TellingDeps,
): Promise<{ mails: MailOrder[]; notifications: NotificationOrder[]; digested: DigestOrder[] }> {
  const sight = await sightOf(seen, told, deps);
  // Nothing is kept for somebody who sees nothing of it: not even how much that is.
  if (sight === undefined) return { mails: [], notifications: [], digested: [] };
  const notification = await notificationTo(seen, told, sight, deps);
  const { mail, item } = deps.sendsMail ? await mailTo(seen, told, sight) : {};
  return {
    mails: mail === undefined ? [] : [mail],
    notifications: notification === undefined ? [] : [notification],
    digested: item === undefined ? [] : [item],
  };
}

/**
 * Tells everybody who may want to hear of a change (as the platform sees it), in their inbox and by mail. `only`: nobody but these, whom an edited comment has newly
 * mentioned.
 */
export async function tellOfChange(
  seen: SeenChange,
  deps: TellingDeps,
  only?: readonly number[],
): Promise<Telling> {
  const matches = only === undefined ? await matchesOf(seen.artifact.row, deps) : noMatches;
  if (!isWorthTelling(seen)) return { mails: [], notifications: [], digested: [], matches };
  const audience = await audienceOf(deps.database, seen.artifact, seen.change);
  const { addresses } = audience;
  const accounts = withSearchers(audience.accounts, matches);
  const wishes = await wishesOf(deps.database, [...accounts.keys()]);
  const mails = deps.sendsMail && only === undefined ? await mailsToAddresses(seen, addresses) : [];
  const notifications: NotificationOrder[] = [];
  const digested: DigestOrder[] = [];
  for (const [accountId, all] of accounts) {
    if (only !== undefined && !only.includes(accountId)) continue;
    // For any other reason they were told when it was changed.
    const causes = only === undefined ? all : all.filter(({ reason }) => reason === 'mention');
    const told = { accountId, causes, wishes: wishes(accountId) };
    const one = await tellOne(seen, told, deps);
    mails.push(...one.mails);
    notifications.push(...one.notifications);
    digested.push(...one.digested);
  }
  return { mails, notifications, digested, matches };
}
