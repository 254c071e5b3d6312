import { findAccountsByEmail, isUsable, readSettings, viewerFor } from '../identity/index.ts';
import { formatInstant, minute } from '../kernel/clock.ts';
import type { CommittedFacts } from '../kernel/events.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { findMembersOfGroups, mayAccess, readProjectAccess } from '../projects/index.ts';
import type { Database, Reader } from '../storage/index.ts';
import type { CommitFacts, Notification, SeenCommit } from '../svn/index.ts';
import { wantsMails } from './choices.ts';
import { isAddress, type MailMessage, type MailOrder, oneLine, recipientMark } from './model.ts';

export const commitMail = 'svn-commit';

/** A revision of a repository. */
export type CommitPlace = Pick<CommittedFacts, 'repositoryId' | 'revision'>;

/** Where commits are looked up: what the room of Subversion knows. Undefined: gone meanwhile. */
export interface Commits {
  facts(commit: CommitPlace): Promise<CommitFacts | undefined>;
  notifications(repositoryId: number): Promise<readonly Notification[]>;
  /** Without what the access file hides from somebody. Undefined: all of it. */
  shownTo(accountId: number, commit: CommitPlace, facts: CommitFacts): Promise<CommitFacts | undefined>;
  /** As the API shows it. Undefined: gone meanwhile, or hidden from the viewer. */
  seenBy(viewer: Viewer, commit: CommitPlace): Promise<SeenCommit | undefined>;
}

const mostRemembered = 20;

/** Looks a commit up once for all its recipients: that takes programs of Subversion. */
export function rememberedCommits(commits: Commits): Commits {
  const known = new Map<string, { readonly until: number; readonly facts: ReturnType<Commits['facts']> }>();
  const facts = (commit: CommitPlace) => {
    const key = `${commit.repositoryId} ${commit.revision}`;
    const found = known.get(key);
    if (found !== undefined && found.until > performance.now()) return found.facts;
    if (known.size >= mostRemembered) known.clear();
    const asked = commits.facts(commit);
    known.set(key, { until: performance.now() + minute, facts: asked });
    // What went wrong once may go well the next time.
    asked.catch(() => known.delete(key));
    return asked;
  };
  return {
    facts,
    notifications: (repositoryId) => commits.notifications(repositoryId),
    shownTo: (accountId, commit, whole) => commits.shownTo(accountId, commit, whole),
    seenBy: (viewer, commit) => commits.seenBy(viewer, commit),
  };
}

/** What writing mails about commits takes. */
export interface CommitMailDeps {
  readonly database: Database;
  readonly commits: Commits;
  readonly publicUrl: string;
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/**
 * Whether a notification is meant for a change in a directory: its path is that of the directory or of one around it,
 * segment by segment, where `*` stands for any one segment. A path that does not begin at the root is meant for none.
 */
export function matchesDirectory(path: string, directory: string): boolean {
  if (!path.startsWith('/')) return false;
  const [wanted, present] = [segmentsOf(path), segmentsOf(directory)];
  return (
    wanted.length <= present.length &&
    wanted.every((segment, index) => segment === '*' || segment === present[index])
  );
}

const mostDirectories = 3;

function subjectOf({ subjectHeader, directories }: CommitFacts, revision: number): string {
  const listed = directories.slice(0, mostDirectories).join(' ');
  const more = directories.length > mostDirectories ? '...' : '';
  return oneLine(`${subjectHeader} r${revision} ${listed}${more}`);
}

const root = ({ project, repository }: CommitFacts) => `${project.shortname}/${repository}`;

function revisionUrl(publicUrl: string, facts: CommitFacts, revision: number): string {
  return `${publicUrl}/plugins/svn?roottype=svn&view=rev&root=${root(facts)}&revision=${revision}`;
}

function diffUrl(publicUrl: string, facts: CommitFacts, revision: number, path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const between = `r1=${revision - 1}&r2=${revision}`;
  return `${publicUrl}/plugins/svn/${encoded}?roottype=svn&root=${root(facts)}&${between}`;
}

/** Paths of one kind that a mail names: mail servers take no mail with all of those that bring in a whole tree. */
const mostPaths = 1000;

/** A line for each path, and one for those that are too many. */
function linesFor(paths: readonly string[], lineOf: (path: string) => string): string[] {
  const lines = paths.slice(0, mostPaths).map(lineOf);
  return paths.length > mostPaths ? [...lines, `    and ${paths.length - mostPaths} more`] : lines;
}

const list = (title: string, paths: readonly string[]) =>
  paths.length === 0 ? [] : ['', `${title}:`, ...linesFor(paths, (path) => `    ${path}`)];

function bodyOf(facts: CommitFacts, revision: number, publicUrl: string): string[] {
  const { committer, at, message, updated, added, deleted, isPartial } = facts;
  const changed = [...updated, ...added, ...deleted].filter((path) => !path.endsWith('/'));
  return [
    `Repository: ${root(facts)}`,
    `Committer: ${committer.login} <${committer.address}>`,
    `Date: ${formatInstant(at)}`,
    `New revision: ${revision}`,
    revisionUrl(publicUrl, facts, revision),
    '',
    'Log message:',
    isPartial ? '(It is hidden from you, like some of what was changed.)' : message,
    ...list('Updated files', updated),
    ...list('Added files', added),
    ...list('Deleted files', deleted),
    ...(changed.length === 0 ? [] : ['', 'Differences:']),
    ...linesFor(changed, (path) => diffUrl(publicUrl, facts, revision, path)),
    '',
  ];
}

/** The mail about a commit; with `isTruncated` it tells nothing but where to look. */
function commitMessage(
  facts: CommitFacts,
  { revision, repositoryId }: CommitPlace,
  { publicUrl, isTruncated }: { publicUrl: string; isTruncated: boolean },
): MailMessage {
  const id = `svn.${repositoryId}.${revision}`;
  if (!isTruncated)
    return { subject: subjectOf(facts, revision), text: bodyOf(facts, revision, publicUrl).join('\n'), id };
  const text = ['There is a new commit.', '', revisionUrl(publicUrl, facts, revision), ''].join('\n');
  return { subject: 'New commit', text, id };
}

async function mayLookInto(reader: Reader, accountId: number, projectId: number): Promise<boolean> {
  const viewer = await viewerFor(reader, accountId);
  if (viewer === undefined) return false;
  return mayAccess(viewer, (await readProjectAccess(reader, viewer, projectId)).project);
}

/** In secure mode a private project writes only to people who may look into it. */
async function isLetIn(
  reader: Reader,
  { id, isPrivate }: CommitFacts['project'],
  { accountId, address }: { accountId: number | null; address: string },
): Promise<boolean> {
  const isSecure = isPrivate && (await readSettings(reader)).secure_mail;
  if (!isSecure) return true;
  if (accountId !== null) return mayLookInto(reader, accountId, id);
  for (const account of await findAccountsByEmail(reader, address))
    if (isUsable(account.status) && (await mayLookInto(reader, account.id, id))) return true;
  return false;
}

interface Recipient {
  readonly accountId: number | null;
  readonly address: string;
}

/** Those who are named, each address once; whoever has an account is known by it. */
async function recipientsOf(
  reader: Reader,
  projectId: number,
  notifications: readonly Notification[],
): Promise<Recipient[]> {
  const groups = notifications.flatMap((notification) => notification.groups);
  const members = await findMembersOfGroups(reader, projectId, groups);
  const ids = [...new Set([...notifications.flatMap(({ users }) => users), ...members])];
  const query = reader.sql.selectFrom('account').select(['id', 'email', 'status']).orderBy('id');
  const accounts = ids.length === 0 ? [] : await reader.all(query.where('id', 'in', ids));
  const people: Recipient[] = [];
  for (const { id, email, status } of accounts)
    if (isUsable(status) && (await wantsMails(reader, id))) people.push({ accountId: id, address: email });
  const emails = notifications.flatMap((notification) => notification.emails);
  const others = emails.map((address) => ({ accountId: null, address }));
  const byAddress = new Map<string, Recipient>();
  for (const recipient of [...people, ...others]) {
    const key = recipient.address.toLowerCase();
    if (isAddress(recipient.address) && !byAddress.has(key)) byAddress.set(key, recipient);
  }
  return [...byAddress.values()];
}

/** A mail for everybody whom a notification names; the committer is not left out. */
export async function commitMails(
  commit: CommitPlace,
  { database, commits }: CommitMailDeps,
): Promise<MailOrder[]> {
  const notifications = await commits.notifications(commit.repositoryId);
  const facts = notifications.length === 0 ? undefined : await commits.facts(commit);
  if (facts === undefined) return [];
  const meant = notifications.filter(({ path }) =>
    facts.directories.some((directory) => matchesDirectory(path, directory)),
  );
  const orders: MailOrder[] = [];
  for (const { accountId, address } of await recipientsOf(database, facts.project.id, meant))
    if (await isLetIn(database, facts.project, { accountId, address }))
      orders.push({
        kind: commitMail,
        payload: JSON.stringify(commit),
        accountId,
        address: accountId === null ? address : null,
        projectId: facts.project.id,
      });
  return orders;
}

/** The mail as one recipient gets it; undefined where they may not have it any more, or the commit is gone. */
export async function writeCommitMail(
  mail: MailOrder,
  deps: CommitMailDeps,
  isTruncated: (projectId: number) => Promise<boolean>,
): Promise<MailMessage | undefined> {
  const commit: CommitPlace = JSON.parse(mail.payload);
  const facts = await deps.commits.facts(commit);
  const { accountId, address } = mail;
  const isLet = facts && (await isLetIn(deps.database, facts.project, { accountId, address: address ?? '' }));
  if (facts === undefined || !isLet) return undefined;
  const shown = accountId === null ? facts : await deps.commits.shownTo(accountId, commit, facts);
  // Whoever may see nothing of it is told only that there is a commit, as Subversion does.
  const isShort = shown === undefined || (await isTruncated(facts.project.id));
  const message = commitMessage(shown ?? facts, commit, { publicUrl: deps.publicUrl, isTruncated: isShort });
  return { ...message, id: `${message.id}.${recipientMark(mail)}` };
}
