import { isMailTruncated } from '../projects/index.ts';
import { plainText } from '../trackers/index.ts';
import {
  type ArtifactReadDeps,
  type ChangesetPlace,
  recipientViewer,
  type SeenChange,
  seenBy,
} from './artifact-changes.ts';
import { wantsMail, whoHasAccount, whoHasAddress } from './choices.ts';
import { notificationLevel } from './listeners.ts';
import {
  type DescribedChange,
  type Difference,
  type MailMessage,
  type MailOrder,
  oneLine,
  recipientMark,
  type Showing,
} from './model.ts';
import type { Reason } from './reasons.ts';
import { subscriptionToken } from './subscription-links.ts';

export const artifactMail = 'artifact';

interface ArtifactMail extends ChangesetPlace {
  readonly reason: Reason;
}

/** What writing mails about artifacts takes. */
export interface ArtifactMailDeps extends ArtifactReadDeps {
  readonly showing: Showing;
  readonly publicUrl: string;
  /** What links are signed with. */
  readonly linkSecret: string;
}

/** Whether the tracker lets anybody hear of such a change. */
export function isWorthTelling({ artifact, change }: SeenChange): boolean {
  const { notificationLevel: level, semantics } = artifact.view.tracker;
  if (level === notificationLevel.disabled) return false;
  if (level !== notificationLevel.statusOnly) return true;
  const status = artifact.view.tracker.elementById.get(semantics.status?.fieldId ?? 0);
  return status !== undefined && Object.hasOwn(change.changes, status.id) && artifact.view.canRead(status);
}

const whoIs = ({ accountId, address }: Pick<MailOrder, 'accountId' | 'address'>) =>
  accountId === null ? whoHasAddress(address ?? '') : whoHasAccount(accountId);

export async function isWanted(
  { readContext, artifact: { row }, change }: SeenChange,
  recipient: Pick<MailOrder, 'accountId' | 'address'>,
): Promise<boolean> {
  const isOwn = recipient.accountId === change.by;
  const about = { trackerId: row.tracker_id, artifactId: row.id, isOwn };
  return wantsMail(readContext.reader, whoIs(recipient), about);
}

/** The mail about a change to one recipient. What they may see is asked when it is sent. */
export function artifactMailTo(
  { artifactId, changesetId }: ChangesetPlace,
  projectId: number,
  reason: Reason,
  { accountId, address }: Pick<MailOrder, 'accountId' | 'address'>,
): MailOrder {
  const payload: ArtifactMail = { artifactId, changesetId, reason };
  return { kind: artifactMail, payload: JSON.stringify(payload), accountId, address, projectId };
}

const words: Readonly<Record<Reason, string>> = {
  mention: 'it mentions you',
  assignee: 'it is, or was, assigned to you',
  chosen: 'you are, or were, chosen in it',
  commenter: 'you commented on it',
  submitter: 'you submitted it',
  watcher: 'you watch it, or its tracker',
  search: 'a saved search that you watch finds it now',
};

const longestValue = 4000;

function shortened(text: string): string {
  const characters = [...text.replace(/\r\n?/g, '\n')];
  const isLong = characters.length > longestValue;
  return isLong ? `${characters.slice(0, longestValue).join('')}…` : characters.join('');
}

const indented = (text: string) =>
  shortened(text)
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');

const isShort = (text: string) => text.length <= 60 && !text.includes('\n');

function differenceText({ label, before, after }: Difference): string {
  const name = oneLine(label);
  const now = after === '' ? '(none)' : after;
  if (!isShort(before) || !isShort(now)) return `${name}:\n${indented(now)}`;
  return before === '' ? `${name}: ${now}` : `${name}: ${before} -> ${now}`;
}

export const linkTo = (publicUrl: string, id: number) => `${publicUrl}/plugins/tracker/?aid=${id}`;

/** What somebody did, with the text and the values that came with it. */
export function changeText(
  { artifact, change, comment }: SeenChange,
  { author, title, differences }: DescribedChange,
): string[] {
  const { tracker } = artifact.view;
  // That something changed which the reader may not see is nothing to tell them.
  const isComment = comment !== undefined && differences.length === 0;
  const verb = change.isCreation ? 'submitted' : isComment ? 'commented on' : 'changed';
  const name = `${tracker.itemName} #${artifact.row.id}`;
  const said = title === null ? name : `${name} "${oneLine(title)}"`;
  return [
    `${oneLine(author)} ${verb} ${said}`,
    `in ${oneLine(tracker.name)}, ${oneLine(tracker.project.label)}.`,
    ...(comment === undefined ? [] : ['', indented(plainText(comment.content, comment.format))]),
    ...(differences.length === 0 ? [] : ['', ...differences.map(differenceText)]),
  ];
}

/** The mail that one recipient gets; undefined where there is nothing in it that they may see and want. */
export async function writeArtifactMail(
  mail: MailOrder,
  deps: ArtifactMailDeps,
): Promise<MailMessage | undefined> {
  const { artifactId, changesetId, reason }: ArtifactMail = JSON.parse(mail.payload);
  const viewer = await recipientViewer(deps.database, mail.accountId);
  const seen = viewer && (await seenBy(viewer, { artifactId, changesetId }, deps));
  if (seen === undefined || !isWorthTelling(seen) || !(await isWanted(seen, mail))) return undefined;
  const described = await deps.showing.describe(seen.readContext, seen.artifact, seen.change);
  const isSeen = seen.change.isCreation || seen.comment !== undefined || described.differences.length > 0;
  if (!isSeen) return undefined;
  const { tracker } = seen.artifact.view;
  const isBare = await isMailTruncated(deps.database, tracker.project.id);
  const token = subscriptionToken({ who: whoIs(mail), artifactId }, deps.linkSecret);
  const unsubscribeUrl = `${deps.publicUrl}/unsubscribe/${token}`;
  const title = isBare || described.title === null ? '' : ` ${described.title}`;
  const body = isBare ? ['An artifact that you have to do with was changed.'] : changeText(seen, described);
  const text = [
    ...body,
    '',
    linkTo(deps.publicUrl, artifactId),
    '',
    '-- ',
    `You get this mail because ${words[reason]}.`,
    `No more mails about it: ${unsubscribeUrl}`,
    '',
  ].join('\n');
  return {
    subject: oneLine(`[${tracker.project.label} - ${tracker.itemName} #${artifactId}]${title}`),
    text,
    id: `artifact.${artifactId}.${changesetId}.${recipientMark(mail)}`,
    thread: `artifact.${artifactId}`,
    unsubscribeUrl,
  };
}
