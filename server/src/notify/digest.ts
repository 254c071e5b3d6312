import { day, type Instant } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isMailTruncated } from '../projects/index.ts';
import {
  type Expression,
  expressionBuilder,
  type Reader,
  type SqlBool,
  type Tables,
  type Transaction,
} from '../storage/index.ts';
import { type ArtifactReadDeps, recipientViewer, seenBy } from './artifact-changes.ts';
import { changeText, isWanted, isWorthTelling, linkTo } from './artifact-mail.ts';
import { insertMails } from './mails.ts';
import {
  type DigestOrder,
  type MailMessage,
  type MailOrder,
  oneLine,
  recipientMark,
  type Showing,
} from './model.ts';
import { nextDigest } from './wishes.ts';

export const digestMail = 'digest';

/** Changes that one mail tells; of more it says how many there are. */
const mostChanges = 200;
/** Changes that are looked at for one mail: who asks for one a week after a large import has the rest in the inbox. */
const mostLookedAt = 2000;
/** Letters of one mail, about: longer ones nobody reads, and mail servers refuse. */
const mostLetters = 200_000;

/** People whose mails are made in one transaction. */
const mostPeople = 20;

/** The changes that a mail sums up. */
interface DigestPayload {
  readonly at: number;
  /** Artifact and changeset. */
  readonly changes: readonly (readonly [artifactId: number, changesetId: number])[];
}

/** Lets changes wait for the next mail that sums up. */
export async function insertDigestItems(tx: Transaction, orders: readonly DigestOrder[]): Promise<void> {
  const now = Date.now();
  for (const { accountId, artifactId, changesetId, reason, digest } of orders) {
    const artifact = tx.sql.selectFrom('artifact').select('id').where('id', '=', artifactId);
    // It may have been deleted since somebody decided whom to tell.
    if ((await tx.first(artifact)) === undefined) continue;
    const insert = tx.sql.insertInto('digest_item').values({
      account_id: accountId,
      artifact_id: artifactId,
      changeset_id: changesetId,
      reason,
      due_at: nextDigest(digest, now),
    });
    await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
  }
}

/** No mail is further away: a clock that was ahead when the items were written does not hold them up. */
const furthest = 8 * day;

/** Items whose mail is due. */
const isDueAt = (now: Instant): Expression<SqlBool> => {
  const item = expressionBuilder<Tables, 'digest_item'>();
  return item.or([item('due_at', '<=', now), item('due_at', '>', now + furthest)]);
};

const dueItems = ({ sql }: Reader) => sql.selectFrom('digest_item').where(isDueAt(Date.now()));

/** Whether a mail that sums up is due, told without writing. */
export const hasDueDigests = async (reader: Reader): Promise<boolean> =>
  (await reader.first(dueItems(reader).select('account_id').limit(1))) !== undefined;

/** Makes one mail for each person of the changes that waited; tells whether there may be more. */
export async function makeDigests(tx: Transaction, _viewer: Viewer, _: undefined): Promise<boolean> {
  const now = Date.now();
  const people = dueItems(tx).select('account_id').distinct().orderBy('account_id').limit(mostPeople);
  const accounts = await tx.all(people);
  for (const { account_id: accountId } of accounts) {
    const own = dueItems(tx)
      .select(['artifact_id', 'changeset_id'])
      .where('account_id', '=', accountId)
      .orderBy('artifact_id')
      .orderBy('changeset_id');
    const items = await tx.lock(own);
    // Somebody else was faster.
    if (items.length === 0) continue;
    const taken = tx.sql.deleteFrom('digest_item').where('account_id', '=', accountId);
    await tx.run(taken.where(isDueAt(now)));
    const payload: DigestPayload = {
      at: now,
      changes: items.slice(0, mostLookedAt).map((item) => [item.artifact_id, item.changeset_id]),
    };
    const order = { kind: digestMail, payload: JSON.stringify(payload), accountId, address: null };
    await insertMails(tx, [{ ...order, projectId: 0 }]);
  }
  return accounts.length === mostPeople;
}

/** What writing such mails takes. */
export interface DigestMailDeps extends ArtifactReadDeps {
  readonly showing: Showing;
  readonly publicUrl: string;
}

/** What one recipient is told of one change; undefined where there is nothing in it that they may see and want. */
async function partOf(
  mail: MailOrder,
  viewer: Viewer,
  [artifactId, changesetId]: readonly [number, number],
  deps: DigestMailDeps,
): Promise<string[] | undefined> {
  const seen = await seenBy(viewer, { artifactId, changesetId }, deps);
  if (seen === undefined || !isWorthTelling(seen) || !(await isWanted(seen, mail))) return undefined;
  const described = await deps.showing.describe(seen.readContext, seen.artifact, seen.change);
  const isSeen = seen.change.isCreation || seen.comment !== undefined || described.differences.length > 0;
  if (!isSeen) return undefined;
  const isBare = await isMailTruncated(deps.database, seen.artifact.view.tracker.project.id);
  const link = linkTo(deps.publicUrl, artifactId);
  if (isBare) return ['An artifact that you have to do with was changed.', link, ''];
  return [...changeText(seen, described), link, ''];
}

/** The mail that sums up; undefined where nothing is left in it. */
export async function writeDigestMail(
  mail: MailOrder,
  deps: DigestMailDeps,
): Promise<MailMessage | undefined> {
  const { at, changes }: DigestPayload = JSON.parse(mail.payload);
  const viewer = await recipientViewer(deps.database, mail.accountId);
  if (viewer === undefined) return undefined;
  const parts: string[] = [];
  let [letters, left] = [0, 0];
  for (const change of changes) {
    const part = (await partOf(mail, viewer, change, deps))?.join('\n');
    // What they may not see any more is not counted either.
    if (part === undefined) continue;
    const isFull = parts.length === mostChanges || letters + part.length > mostLetters;
    if (isFull && parts.length > 0) left += 1;
    else {
      parts.push(part);
      letters += part.length;
    }
  }
  if (parts.length === 0) return undefined;
  const count = parts.length + left;
  const text = [
    ...parts,
    ...(left === 0 ? [] : [`And ${left} more changes: ${deps.publicUrl}/inbox`, '']),
    '-- ',
    'You get this mail because you asked for one that sums up.',
    `What you are told of: ${deps.publicUrl}/account/notifications`,
    '',
  ].join('\n');
  return {
    subject: oneLine(count === 1 ? 'One change since the last mail' : `${count} changes since the last mail`),
    text,
    id: `digest.${at}.${recipientMark(mail)}`,
  };
}
