import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Link } from 'react-aria-components';
import { stageNamed, useArtifacts } from '../fields/index.ts';
import { pageOf } from '../kernel/addresses.ts';
import { type DiffFile, readUnifiedDiff } from '../kernel/unified-diff.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { Part, useCommands, WaitingPlace } from '../shell/index.ts';
import { useTracker } from '../store/index.ts';
import { classes, Icon, LinkButton, Note, RichText, StatusRing, TrackerMark } from '../ui/index.ts';
import {
  comparisonAddress,
  type SvnRevision,
  useAuthors,
  useDiffText,
  useRendered,
  useRevision,
  useYoungest,
} from './calls.ts';
import { DiffView, Sums, useDiffLook } from './diff-view.tsx';
import type { Reference } from './log.tsx';
import { SvnPlace, SvnWaiting, type Whereabouts } from './place.tsx';
import styles from './revision.module.css';
import tools from './svn.module.css';
import { Author, subjectOf, Tools } from './tools.tsx';

const artifactIn = (href: string): number | undefined => {
  const address = pageOf(window.location.origin, href);
  const { pathname, searchParams } = new URL(address, window.location.origin);
  const id =
    /^\/artifacts\/(\d+)$/.exec(pathname)?.[1] ?? (pathname === '/goto' ? searchParams.get('val') : null);
  return id !== null && /^\d{1,12}$/.test(id) ? Number(id) : undefined;
};

/** A status with its ring. */
function State({
  trackerUri,
  name,
  color,
}: {
  readonly trackerUri: string;
  readonly name: string;
  readonly color: string | null;
}) {
  const { thing: tracker } = useTracker(trackerUri);
  const stage = tracker && stageNamed(tracker, name);
  if (name === '') return null;
  return (
    <span className={styles['state']}>
      {stage !== undefined && <StatusRing stage={stage} colour={color} />}
      {name}
    </span>
  );
}

/** An artifact that the message names, with its state. */
function NamedArtifact({ id, text }: { readonly id: number; readonly text: string }) {
  // Read as one of a list: seeing the revision is no visit of it, and its notices stay unread.
  const { artifacts } = useArtifacts([id]);
  const artifact = artifacts.find((one) => one.id === id);
  const { thing: tracker } = useTracker(artifact?.tracker.uri);
  return (
    <Link href={`/artifacts/${id}`} className={styles['artifact'] ?? ''}>
      {tracker !== undefined && <TrackerMark colour={tracker.color_name} />}
      <span>{text}</span>
      {artifact !== undefined && (
        <>
          <strong>{artifact.title}</strong>
          <State
            trackerUri={artifact.tracker.uri}
            name={artifact.full_status?.value ?? ''}
            color={artifact.full_status?.color ?? null}
          />
        </>
      )}
    </Link>
  );
}

function Named({ references }: { readonly references: readonly Reference[] }) {
  const { svn } = useMessages();
  const found = new Map<number, string>();
  for (const { text, href } of references) {
    const id = artifactIn(href);
    if (id !== undefined && !found.has(id)) found.set(id, text);
  }
  if (found.size === 0) return null;
  return (
    <span className={styles['named']}>
      {svn.refersTo}
      {[...found].map(([id, text]) => (
        <NamedArtifact key={id} id={id} text={text} />
      ))}
    </span>
  );
}

interface TreeNode {
  readonly name: string;
  readonly depth: number;
  readonly change?: SvnRevision['changes'][number] | undefined;
}

/** Changed paths as a tree: folders on the way, then what changed in them. */
function treeOf(changes: SvnRevision['changes']): TreeNode[] {
  const nodes: TreeNode[] = [];
  const seen = new Set<string>();
  for (const change of changes.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const names = change.path.split('/').filter((name) => name !== '');
    for (const [depth, name] of names.entries()) {
      const path = names.slice(0, depth + 1).join('/');
      const isLast = depth === names.length - 1;
      if (seen.has(path)) continue;
      seen.add(path);
      nodes.push({ name, depth, change: isLast ? change : undefined });
    }
    if (names.length === 0) nodes.push({ name: '/', depth: 0, change });
  }
  return nodes;
}

const mostInTree = 1000;

function ChangedPaths({
  revision,
  files,
  onOpen,
}: {
  readonly revision: SvnRevision;
  readonly files: readonly DiffFile[];
  onOpen(file: number): void;
}) {
  const { svn } = useMessages();
  const nodes = useMemo(() => treeOf(revision.changes), [revision.changes]);
  return (
    <nav className={styles['paths']} aria-label={svn.changedPaths}>
      <ul>
        {nodes.slice(0, mostInTree).map(({ name, depth, change }, index) => {
          const file = files.findIndex(({ path }) => `/${path}` === change?.path);
          const letter = change?.action ?? '';
          const inside = (
            <>
              {change === undefined ? (
                <Icon name="chevron-down" size={14} />
              ) : (
                <span className={classes(styles['letter'], styles[letter])} title={svn.actions(letter)}>
                  {letter}
                </span>
              )}
              <span className={styles['pathName']} title={change?.path}>
                {name}
                {change?.copied_from != null && (
                  <small> {svn.copiedFrom(change.copied_from.path, change.copied_from.revision)}</small>
                )}
              </span>
            </>
          );
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a tree in its order
            <li key={index} style={{ paddingLeft: 8 + depth * 16 }}>
              {file === -1 ? (
                <span className={styles['pathEntry']}>{inside}</span>
              ) : (
                <button type="button" className={styles['pathEntry']} onClick={() => onOpen(file)}>
                  {inside}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {revision.is_partial && (
        <p className={styles['hidden']}>
          <Icon name="eye-off" size={14} /> {svn.partial}
        </p>
      )}
    </nav>
  );
}

/** Of a revision of which something is hidden, what may be read is asked for file by file. */
function diffAddresses(id: number, { is_partial, diff_href, changes, revision }: SvnRevision): string[] {
  if (!is_partial) return [diff_href];
  return changes
    .filter(({ type, copied_from: from }) => type === 'file' && from === null)
    .slice(0, 100)
    .map(({ path }) => comparisonAddress(id, path.replace(/^\//, ''), revision - 1, revision));
}

/** What is compared by itself is named by its last name alone; all paths are told from the root. */
function withWholePaths(
  files: readonly DiffFile[],
  { is_partial, changes }: SvnRevision,
): readonly DiffFile[] {
  if (!is_partial) return files;
  const paths = changes.filter(({ type, copied_from: from }) => type === 'file' && from === null);
  return files.map((file) => {
    const whole = paths.find(({ path }) => path.endsWith(`/${file.path}`));
    return whole === undefined ? file : { ...file, path: whole.path.slice(1) };
  });
}

function Pager({ where, number }: { readonly where: Whereabouts; readonly number: number }) {
  const { svn } = useMessages();
  const navigate = useNavigate();
  const { addresses, repository } = where;
  const { data: youngest = number } = useYoungest(repository.id);
  const go = (to: number) => void navigate({ to: addresses.revision(to) });
  const hasBefore = number > 1;
  const hasAfter = number < youngest;
  useCommands([
    ...(hasBefore
      ? [{ id: 'svn-before', name: svn.before, keys: 'k', icon: 'chevron-left', run: () => go(number - 1) }]
      : []),
    ...(hasAfter
      ? [{ id: 'svn-after', name: svn.after, keys: 'j', icon: 'chevron-right', run: () => go(number + 1) }]
      : []),
  ]);
  return (
    <span className={styles['pager']}>
      {hasBefore && (
        <LinkButton kind="quiet" size="small" icon="chevron-left" href={addresses.revision(number - 1)}>
          r{number - 1}
        </LinkButton>
      )}
      {hasAfter && (
        <LinkButton kind="quiet" size="small" href={addresses.revision(number + 1)}>
          r{number + 1} <Icon name="chevron-right" />
        </LinkButton>
      )}
    </span>
  );
}

function Message({ where, revision }: { readonly where: Whereabouts; readonly revision: SvnRevision }) {
  const { svn } = useMessages();
  const formats = useFormats();
  const { message, author, date, is_partial: isPartial } = revision;
  const user = useAuthors([author]).get(author);
  const { data } = useRendered(where.repository.project.uri, message === '' ? undefined : message, 'text');
  const subject = subjectOf(message);
  const rest = message.trim().slice(subject.length).trim();
  return (
    <header className={styles['message']}>
      <h1 className={styles['subject']}>
        {subject === '' ? (isPartial ? svn.hiddenMessage : svn.noMessage) : subject}
      </h1>
      {rest !== '' && data !== undefined && (
        <details className={styles['rest']}>
          <summary>{svn.wholeMessage}</summary>
          <RichText html={data.html} />
        </details>
      )}
      <p className={styles['facts']}>
        <Author name={author} user={user} size={24} />
        {date !== null && (
          <time dateTime={date} title={formats.exact(date)} className={styles['time']}>
            {formats.moment(date)}
          </time>
        )}
        <Named references={data?.references ?? []} />
      </p>
    </header>
  );
}

/** `…/revisions/{n}`: what one commit did. */
export function RevisionPage({ where, number }: { readonly where: Whereabouts; readonly number: number }) {
  const { svn } = useMessages();
  const { repository, addresses } = where;
  const { data: revision, error, refetch, isFetching } = useRevision(repository.id, number);
  const addressesOfDiff = revision === undefined ? undefined : diffAddresses(repository.id, revision);
  const diff = useDiffText(addressesOfDiff);
  const files = useMemo(
    () =>
      diff.data === undefined || revision === undefined
        ? []
        : withWholePaths(readUnifiedDiff(diff.data.text), revision),
    [diff.data, revision],
  );
  const look = useDiffLook();
  const [target, setTarget] = useState<{ readonly file: number; readonly asked: number }>();
  if (revision === undefined)
    return <SvnWaiting where={where} page="revisions" last={`r${number}`} asked={{ error, refetch }} />;
  const waysOf = ({ path, change }: DiffFile) => [
    ...(change === 'deleted' ? [] : [{ name: svn.file, to: addresses.page('file', path, { rev: number }) }]),
    ...(change === 'deleted' || change === 'added'
      ? []
      : [
          { name: svn.log, to: addresses.page('log', path, { from: number }) },
          { name: svn.blame, to: addresses.page('blame', path, { rev: number }) },
        ]),
  ];
  return (
    <SvnPlace
      where={where}
      page="revisions"
      last={`r${number}`}
      isAsking={isFetching}
      fillsHeight
      hasOwnHeading
      actions={<Pager where={where} number={number} />}
    >
      <Message where={where} revision={revision} />
      <Tools>
        <Sums files={files} />
        <span className={tools['grow']} />
        {look.controls}
        {!revision.is_partial && (
          <LinkButton
            kind="quiet"
            size="small"
            icon="download"
            href={revision.diff_href}
            download={`${repository.name}-r${number}.diff`}
            target="_self"
            aria-label={svn.downloadDiff}
          />
        )}
      </Tools>
      <div className={styles['body']}>
        <ChangedPaths
          revision={revision}
          files={files}
          onOpen={(file) => setTarget({ file, asked: (target?.asked ?? 0) + 1 })}
        />
        <Part name="diff">
          <WaitingPlace asked={diff} lines={10} className={tools['pad']} />
          {diff.data?.isCut === true && <Note meaning="care">{svn.cutDiff}</Note>}
          {diff.data !== undefined && (
            <DiffView
              name={svn.differences}
              files={files}
              isSideBySide={look.isSideBySide}
              hidesBlanks={look.hidesBlanks}
              target={target}
              ways={waysOf}
            />
          )}
        </Part>
      </div>
    </SvnPlace>
  );
}
