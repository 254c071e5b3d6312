import { findArtifacts, requireVisible } from '../artifacts/index.ts';
import { requireSelf } from '../identity/index.ts';
import { notFound } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Reader, readRevisions, statement, type Transaction } from '../storage/index.ts';
import type { Trackers } from '../trackers/index.ts';

/** What somebody can do without. */
export type MutedKind = 'platform' | 'tracker' | 'artifact';
type ChoiceKind = MutedKind | 'own';

export const whoHasAccount = (accountId: number) => `account:${accountId}`;
export const whoHasAddress = (address: string) => `address:${address.toLowerCase()}`;

/** What somebody wants to be told of by mail. */
export interface MailPreferences {
  /** Whether they get mails about artifacts and commits at all. */
  readonly isEnabled: boolean;
  /** Whether also about their own changes. */
  readonly includesOwnChanges: boolean;
}

const choicesAbout = statement((sql, p: { who: string; trackerId: number; artifactId: number }) =>
  sql
    .selectFrom('mail_choice')
    .select('kind')
    .where('who', '=', p.who)
    .where((row) =>
      row.or([
        row('subject_id', '=', 0),
        row.and([row('kind', '=', 'tracker'), row('subject_id', '=', p.trackerId)]),
        row.and([row('kind', '=', 'artifact'), row('subject_id', '=', p.artifactId)]),
      ]),
    ),
);

/** What somebody chose about mails that matters for this artifact. */
async function choicesOf(
  reader: Reader,
  who: string,
  { trackerId, artifactId }: { trackerId: number; artifactId: number },
): Promise<string[]> {
  return (await reader.all(choicesAbout, { who, trackerId, artifactId })).map(({ kind }) => kind);
}

/** Whether somebody mutes this artifact or its tracker, which covers the inbox too. */
export async function mutes(
  reader: Reader,
  accountId: number,
  about: { trackerId: number; artifactId: number },
): Promise<boolean> {
  const kinds = await choicesOf(reader, whoHasAccount(accountId), about);
  return kinds.some((kind) => kind === 'tracker' || kind === 'artifact');
}

/** Whether somebody wants to hear of a change of this artifact by mail. */
export async function wantsMail(
  reader: Reader,
  who: string,
  about: { trackerId: number; artifactId: number; isOwn: boolean },
): Promise<boolean> {
  const kinds = await choicesOf(reader, who, about);
  return kinds.every((kind) => kind === 'own') && (!about.isOwn || kinds.includes('own'));
}

async function choose(
  tx: Transaction,
  { who, kind, subjectId }: { who: string; kind: ChoiceKind; subjectId: number },
  isChosen: boolean,
): Promise<void> {
  const row = { who, kind, subject_id: subjectId };
  const insert = tx.sql.insertInto('mail_choice').values(row);
  const choices = tx.sql.deleteFrom('mail_choice').where('who', '=', who).where('kind', '=', kind);
  await tx.run(
    isChosen
      ? insert.onConflict((conflict) => conflict.doNothing())
      : choices.where('subject_id', '=', subjectId),
  );
}

async function has(reader: Reader, who: string, kind: ChoiceKind, subjectId: number): Promise<boolean> {
  const query = reader.sql.selectFrom('mail_choice').select('kind').where('who', '=', who);
  const row = await reader.first(query.where('kind', '=', kind).where('subject_id', '=', subjectId));
  return row !== undefined;
}

/** Whether somebody did not switch mails off. */
export const wantsMails = async (reader: Reader, accountId: number): Promise<boolean> =>
  !(await has(reader, whoHasAccount(accountId), 'platform', 0));

export async function readMailPreferences(
  reader: Reader,
  viewer: Viewer,
  accountId: number,
): Promise<MailPreferences> {
  requireSelf(viewer, accountId);
  return {
    isEnabled: await wantsMails(reader, accountId),
    includesOwnChanges: await has(reader, whoHasAccount(accountId), 'own', 0),
  };
}

export async function changeMailPreferences(
  tx: Transaction,
  viewer: Viewer,
  preferences: {
    accountId: number;
    isEnabled?: boolean | undefined;
    includesOwnChanges?: boolean | undefined;
  },
): Promise<void> {
  const { accountId, isEnabled, includesOwnChanges } = preferences;
  requireSelf(viewer, accountId);
  const who = whoHasAccount(accountId);
  if (isEnabled !== undefined) await choose(tx, { who, kind: 'platform', subjectId: 0 }, !isEnabled);
  if (includesOwnChanges !== undefined)
    await choose(tx, { who, kind: 'own', subjectId: 0 }, includesOwnChanges);
}

/** A tracker or an artifact that somebody gets no mails about. */
export interface Muted {
  readonly kind: 'tracker' | 'artifact';
  readonly id: number;
}

export async function listMuted(
  reader: Reader,
  viewer: Viewer,
  { accountId, limit, offset }: Page & { accountId: number },
): Promise<Slice<Muted>> {
  requireSelf(viewer, accountId);
  const own = reader.sql
    .selectFrom('mail_choice')
    .where('who', '=', whoHasAccount(accountId))
    .where('subject_id', '<>', 0);
  const count = await reader.first(own.select((row) => row.fn.countAll<number>().as('size')));
  const page = own.select(['kind', 'subject_id']).orderBy('kind', 'desc').orderBy('subject_id');
  const rows = await reader.all(page.limit(limit).offset(offset));
  const items = rows.map(({ kind, subject_id: id }) => ({
    kind: kind === 'tracker' ? ('tracker' as const) : ('artifact' as const),
    id,
  }));
  return { items, size: count?.size ?? 0 };
}

/** Whether the viewer gets no mails about this. */
export const isMuted = (reader: Reader, { userId }: Viewer, { kind, id }: Muted): Promise<boolean> =>
  has(reader, whoHasAccount(userId), kind, id);

/** Refuses what the viewer may not see: nobody learns from a choice what there is. */
export async function requireMutable(
  reader: Reader,
  viewer: Viewer,
  { kind, id }: Muted,
  trackers: Trackers,
): Promise<void> {
  const revisions = await readRevisions(reader);
  if (kind === 'tracker') {
    await trackers.require(reader, viewer, id, revisions);
    return;
  }
  const [row] = await findArtifacts(reader, [id]);
  if (row === undefined) throw notFound('There is no such artifact.');
  await requireVisible({ reader, viewer, trackers, revisions }, row);
}

export async function mute(
  tx: Transaction,
  viewer: Viewer,
  { isMuted: preference, ...subject }: Muted & { isMuted: boolean },
  trackers: Trackers,
): Promise<void> {
  await requireMutable(tx, viewer, subject, trackers);
  const who = whoHasAccount(viewer.userId);
  await choose(tx, { who, kind: subject.kind, subjectId: subject.id }, preference);
}

/** Ends mails for whoever holds the link of one of them; the caller has checked the link. */
export async function unsubscribe(
  tx: Transaction,
  _viewer: Viewer,
  { who, kind, artifactId }: { who: string; kind: MutedKind; artifactId: number },
): Promise<void> {
  const [row] = await findArtifacts(tx, [artifactId]);
  const subjectId = kind === 'platform' ? 0 : kind === 'artifact' ? artifactId : row?.tracker_id;
  if (subjectId === undefined) throw notFound('The artifact is gone, and no mails come about it any more.');
  await choose(tx, { who, kind, subjectId }, true);
}
