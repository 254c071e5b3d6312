import {
  Fragment,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-aria-components';
import {
  describedAnew,
  FieldCell,
  filesOf,
  isTextColumn,
  personOf,
  statusStages,
  type TextFile,
  useTextTools,
} from '../fields/index.ts';
import { deviceMoment } from '../kernel/device-clock.ts';
import { mergeTexts } from '../kernel/text-merge.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import {
  type ChangeLog,
  changeArtifact,
  useDraft,
  useLastLook,
  useStanding,
  wordsOfError,
} from '../store/index.ts';
import {
  Button,
  copyText,
  ErrorPlace,
  Face,
  Icon,
  IconButton,
  MarkdownEditor,
  MeaningChip,
  Menu,
  MenuItem,
  NotSavedYet,
  RelativeTime,
  RichText,
  Skeleton,
  TextDiff,
} from '../ui/index.ts';
import styles from './artifact.module.css';
import {
  editComment,
  type TimelineChange,
  type TimelineEntry,
  type TimelineKind,
  useTimeline,
  wholeCell,
} from './calls.ts';
import { type JoinedEntry, joined, type ShownChange, type ShownEntry } from './joined.ts';
import { fileChanges, type SeenArtifact } from './seen.ts';

const CommentVersions = lazy(() =>
  import('./comment-versions.tsx').then((module) => ({ default: module.CommentVersions })),
);

const FILTERS = ['all', 'comments', 'changes', 'files'] as const;
type Shown = (typeof FILTERS)[number];

const KINDS: Readonly<Record<Shown, readonly TimelineKind[]>> = {
  all: ['comments', 'changes', 'commits', 'references'],
  comments: ['comments'],
  changes: ['changes', 'commits'],
  // The API has no kind for them: they are picked out of what it tells.
  files: ['comments', 'changes'],
};

const hasFiles = ({ changes }: TimelineEntry): boolean => changes.some(({ type }) => type === 'files');
const ENOUGH_FILES = 10;

/** What happened, one line an entry; comments are prose without a box. */
export function Timeline({
  seen,
  pending,
  news,
  isGone,
  onQuote,
}: {
  readonly seen: SeenArtifact;
  readonly pending: ChangeLog;
  /** The first change that somebody was told of and had not read when they came. */
  readonly news: number | undefined;
  /** It is said elsewhere that there is nothing more to read. */
  readonly isGone: boolean;
  readonly onQuote: (text: string) => void;
}) {
  const { artifact: words } = useMessages();
  const { user } = useStanding();
  const [shown, setShown] = useState<Shown>('all');
  const { entries, size, error, isFirst, askAgain, showMore } = useTimeline(seen.artifact, KINDS[shown]);
  const [isNewestLast, setNewestLast] = useState(true);
  const lookedAt = useLastLook(seen.artifact.uri, seen.artifact.last_modified_date);
  const list = useRef<HTMLOListElement>(null);
  const names: Readonly<Record<Shown, string>> = {
    all: words.filterAll,
    comments: words.filterComments,
    changes: words.filterChanges,
    files: words.filterFiles,
  };
  const wanted = joined(shown === 'files' ? entries.filter(hasFiles) : entries);
  useEffect(() => {
    if (shown === 'files' && wanted.length < ENOUGH_FILES) showMore?.('many');
  });
  const marked = useAddressed(wanted, showMore);
  const jump = useJumpToFirst(list, isNewestLast, showMore);
  const isNew = ({ entry }: JoinedEntry) =>
    entry.submitted_by.id !== user?.id &&
    ((news !== undefined && (entry.changeset_id ?? 0) >= news) ||
      (lookedAt !== undefined && Date.parse(entry.submitted_on) > Date.parse(lookedAt)));
  const firstNew = wanted.findLast(isNew)?.entry.id;
  const ordered = isNewestLast ? wanted.toReversed() : wanted;
  const left = size - entries.length;
  // Nobody knows which of those that are left have files.
  const count = shown === 'files' && left > 0 ? 0 : wanted.length + left;
  const more = showMore !== undefined && (
    <More count={left} onMore={showMore} onJump={isNewestLast ? jump : undefined} />
  );
  return (
    <section className={styles['section']} aria-label={words.timeline}>
      <div className={styles['sectionHead']}>
        <h2>{words.timeline}</h2>
        {count > 0 && <span className={styles['count']}>{count}</span>}
        <span className={styles['sectionAct']}>
          <Menu
            aria-label={words.filter}
            placement="bottom end"
            trigger={
              <Button
                kind="quiet"
                size="small"
                className={styles['quietAct'] ?? ''}
                opens
                aria-label={`${words.filter}: ${names[shown]}`}
              >
                {names[shown]}
              </Button>
            }
            onAction={(id) => setShown(FILTERS.find((one) => one === id) ?? 'all')}
          >
            {FILTERS.map((id) => (
              <MenuItem key={id} id={id} isSet={id === shown}>
                {names[id]}
              </MenuItem>
            ))}
          </Menu>
          <Button
            kind="quiet"
            size="small"
            className={styles['quietAct'] ?? ''}
            opens
            onPress={() => setNewestLast(!isNewestLast)}
          >
            {isNewestLast ? words.newestLast : words.newestFirst}
          </Button>
        </span>
      </div>
      {error && !isGone && <ErrorPlace words={wordsOfError(error)} onRetry={askAgain} />}
      {isFirst && !error && <Skeleton lines={3} />}
      {isNewestLast && more}
      <ol className={styles['entries']} ref={list}>
        {ordered.map(({ entry, changesetIds }) => (
          <Fragment key={entry.id}>
            {isNewestLast && entry.id === firstNew && <NewSince />}
            <Entry
              entry={entry}
              seen={seen}
              isMarked={marked !== null && changesetIds.includes(marked)}
              onQuote={onQuote}
            />
            {!isNewestLast && entry.id === firstNew && <NewSince />}
          </Fragment>
        ))}
        {pending.map(
          (change) => change.comment && <PendingComment key={change.id} body={change.comment.body} />,
        )}
      </ol>
      {shown === 'files' && wanted.length === 0 && showMore === undefined && (
        <p className={styles['second']}>{words.noEntries}</p>
      )}
      {!isNewestLast && more}
    </section>
  );
}

function NewSince() {
  const { artifact: words } = useMessages();
  return (
    <li className={styles['newSince']}>
      <span>{words.newSince}</span>
    </li>
  );
}

type ShowMore = (howMany?: 'some' | 'many') => void;

/** Older ones: by a press, or by scrolling to where they would be. */
function More({
  count,
  onMore,
  onJump,
}: {
  readonly count: number;
  readonly onMore: ShowMore;
  readonly onJump: (() => void) | undefined;
}) {
  const { artifact: words } = useMessages();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  useEffect(() => {
    let wasScrolled = false;
    let isNear = false;
    const look = () => {
      if (!wasScrolled || !isNear) return;
      wasScrolled = false;
      latest.current();
    };
    const scrolled = () => {
      wasScrolled = true;
      look();
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        isNear = entry?.isIntersecting === true;
        look();
      },
      { rootMargin: '200px' },
    );
    if (place.current) observer.observe(place.current);
    // The page scrolls inside its main part, a panel inside itself.
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', scrolled, { capture: true });
    };
  }, []);
  return (
    <div ref={place} className={styles['moreEntries']}>
      <Button kind="quiet" size="small" onPress={() => onMore()}>
        {words.showMore(count)}
      </Button>
      {onJump && (
        <Button kind="quiet" size="small" icon="arrow-up" onPress={onJump}>
          {words.jumpToFirst}
        </Button>
      )}
    </div>
  );
}

/** Reads on to where all of it began, and goes there. */
function useJumpToFirst(
  list: RefObject<HTMLOListElement | null>,
  isNewestLast: boolean,
  showMore: ShowMore | undefined,
): () => void {
  const [isJumping, setJumping] = useState(false);
  useEffect(() => {
    if (!isJumping) return;
    if (showMore !== undefined) return showMore('many');
    setJumping(false);
    const entries = list.current?.children;
    const first = entries?.[isNewestLast ? 0 : entries.length - 1];
    if (first) bringIntoSight(first.id);
  }, [isJumping, isNewestLast, showMore, list]);
  return () => setJumping(true);
}

const FRAMES_UNTIL_DRAWN = 30;

/** Entries get their height when they come near: it is gone to until those around it stand still. */
function bringIntoSight(id: string): void {
  let left = FRAMES_UNTIL_DRAWN;
  const go = () => {
    document.getElementById(id)?.scrollIntoView({ block: 'center' });
    left -= 1;
    if (left > 0) requestAnimationFrame(go);
  };
  go();
}

const addressed = (): number | null => {
  const id = /^#change-(\d+)$/.exec(location.hash)?.[1];
  return id === undefined ? null : Number(id);
};

/** `#change-99` is read on for until it is there; it is gone to once. */
function useAddressed(entries: readonly JoinedEntry[], showMore: ShowMore | undefined): number | null {
  const [wanted, setWanted] = useState(addressed);
  const gone = useRef<number | null>(null);
  useEffect(() => {
    const look = () => setWanted(addressed());
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, []);
  useEffect(() => {
    if (wanted === null || gone.current === wanted || entries.length === 0) return;
    const found = entries.find(({ changesetIds }) => changesetIds.includes(wanted));
    if (found === undefined) return showMore?.('many');
    gone.current = wanted;
    bringIntoSight(`change-${found.entry.changeset_id}`);
  }, [wanted, entries, showMore]);
  return wanted;
}

function Entry({
  entry,
  seen,
  isMarked,
  onQuote,
}: {
  readonly entry: ShownEntry;
  readonly seen: SeenArtifact;
  readonly isMarked: boolean;
  readonly onQuote: (text: string) => void;
}) {
  const { artifact: words } = useMessages();
  const [isEditing, setEditing] = useState(false);
  const [showsVersions, setShowsVersions] = useState(false);
  const place = useRef<HTMLLIElement>(null);
  const wasEditing = useRef(false);
  useLayoutEffect(() => {
    const isLeft = wasEditing.current && !isEditing && document.activeElement === document.body;
    wasEditing.current = isEditing;
    if (isLeft) place.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
  }, [isEditing]);
  const person = personOf(entry.submitted_by);
  const { comment } = entry;
  // What an artifact began with is in its form.
  const changes = entry.is_creation ? [] : entry.changes;
  return (
    <li
      ref={place}
      className={styles['entry']}
      id={`change-${entry.changeset_id}`}
      data-marked={isMarked || undefined}
      aria-current={isMarked || undefined}
    >
      {entry.kind === 'commit' ? (
        <span className={styles['entryIcon']}>
          <Icon name="git-commit" />
        </span>
      ) : (
        <Face {...person} size={24} />
      )}
      <div className={styles['entryBody']}>
        <div className={styles['entryLine']}>
          <span className={styles['entryWords']}>
            <span className={styles['strong']}>{person.name}</span> <Elsewhere entry={entry} />
            {entry.is_creation ? words.created : comment !== null && <span>{words.commented}</span>}
            {comment?.ugroups && comment.ugroups.length > 0 && (
              <MeaningChip meaning="care" icon="lock">
                {words.onlyGroups(comment.ugroups.map(({ label }) => label).join(', '))}
              </MeaningChip>
            )}
            {changes.length > 0 && (
              <Changes seen={seen} changes={changes} isAfterComment={comment !== null} />
            )}
            {entry.is_edited && comment !== null && (
              <Edited entry={entry} onVersions={() => setShowsVersions(true)} />
            )}
          </span>
          {comment !== null && (
            <CommentMenu
              entry={entry}
              seen={seen}
              onEdit={() => setEditing(true)}
              onVersions={() => setShowsVersions(true)}
              onQuote={onQuote}
            />
          )}
          <RelativeTime at={entry.submitted_on} className={styles['when'] ?? ''} />
        </div>
        {comment !== null &&
          (isEditing ? (
            <CommentEditor entry={entry} seen={seen} onLeave={() => setEditing(false)} />
          ) : (
            <RichText html={comment.post_processed_body} className={styles['commentText'] ?? ''} />
          ))}
        {changes.filter(isLongText).map((change) => (
          <LongChange key={change.field_id} change={change} artifactId={seen.artifact.id} />
        ))}
      </div>
      {showsVersions && entry.changeset_id !== null && (
        <Suspense>
          <CommentVersions
            artifactId={seen.artifact.id}
            changesetId={entry.changeset_id}
            onClose={() => setShowsVersions(false)}
          />
        </Suspense>
      )}
    </li>
  );
}

/** Who may see what a comment was before presses the word. */
function Edited({ entry, onVersions }: { readonly entry: ShownEntry; readonly onVersions: () => void }) {
  const { artifact: words } = useMessages();
  if (!entry.may_edit) return <span className={styles['edited']}>({words.edited})</span>;
  return (
    <button type="button" className={styles['edited']} title={words.commentVersions} onClick={onVersions}>
      ({words.edited})
    </button>
  );
}

/** Commits, and texts of other artifacts that name this one. */
function Elsewhere({ entry }: { readonly entry: ShownEntry }) {
  const { artifact: words } = useMessages();
  const { commit, reference } = entry;
  if (commit)
    return (
      <>
        {words.committed}{' '}
        <Link href={commit.html_url} className={styles['referenceLink'] ?? ''}>
          <code>{`${commit.repository} r${commit.revision}`}</code>
        </Link>{' '}
        <span className={styles['changedField']}>{commit.message.split('\n')[0]}</span>
      </>
    );
  if (reference)
    return (
      <>
        {words.mentionedIn}{' '}
        <Link href={`/${reference.uri}`} className={styles['referenceLink'] ?? ''}>
          {reference.xref}
        </Link>{' '}
        <span className={styles['changedField']}>{reference.title}</span>
      </>
    );
  return null;
}

const textOf = ({ value }: TimelineChange['before']): string => (typeof value === 'string' ? value : '');

const SHORT = 60;

const cutText = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT).trimEnd()}…` : text);

function isLongText({ type, before, after }: TimelineChange): boolean {
  if (!isTextColumn(type)) return false;
  return [before, after].some((cell) => textOf(cell).length > SHORT || textOf(cell).includes('\n'));
}

/** Files that are described in other words than before; of other fields none. */
const describedIn = ({ type, before, after }: TimelineChange) =>
  type === 'files' ? describedAnew(filesOf(before.value), filesOf(after.value)) : [];

/** Whether the same files are there as before. */
function hasSameFiles({ type, before, after }: TimelineChange): boolean {
  if (type !== 'files') return false;
  const [old, now] = [before, after].map(({ value }) => filesOf(value).map(({ id }) => id));
  return old?.toSorted().join() === now?.toSorted().join();
}

/** Field by field `before → after`; long texts say only that they changed, and open below. */
function Changes({
  seen,
  changes,
  isAfterComment,
}: {
  readonly seen: SeenArtifact;
  readonly changes: readonly TimelineChange[];
  readonly isAfterComment: boolean;
}) {
  const { artifact: words } = useMessages();
  const described = changes.flatMap(describedIn);
  const short = changes.filter((change) => !isLongText(change) && !hasSameFiles(change));
  const long = changes.filter(isLongText);
  return (
    <>
      {isAfterComment && ` ${words.and} `}
      {short.length > 0 && <span>{words.set} </span>}
      {short.map((change, place) => (
        <Fragment key={change.field_id}>
          {place > 0 && ', '}
          <OneChange seen={seen} change={change} />
        </Fragment>
      ))}
      {long.length > 0 && (
        <span>
          {short.length > 0 && ` ${words.and} `}
          {words.changed}{' '}
          <span className={styles['changedField']}>{long.map(({ label }) => label).join(', ')}</span>
        </span>
      )}
      {described.length > 0 && (
        <span>
          {short.length + long.length > 0 && ` ${words.and} `}
          {words.described}{' '}
          {described.map(({ file, before }, place) => (
            <DescribedFile
              key={file.id}
              file={file}
              before={before}
              isLast={place === described.length - 1}
            />
          ))}
        </span>
      )}
    </>
  );
}

/** What a file was described by, and is now. */
function DescribedFile({
  file,
  before,
  isLast,
}: ReturnType<typeof describedAnew>[number] & { readonly isLast: boolean }) {
  const { artifact: words } = useMessages();
  const wordsOf = (description: string) =>
    description === '' ? (
      <span>{words.nothing}</span>
    ) : (
      <span title={description}>{cutText(description)}</span>
    );
  return (
    <span className={styles['change']}>
      <span className={styles['changedField']}>{file.name}</span>
      {before === '' ? words.describedAs : wordsOf(before)}
      {before !== '' && <Icon name="arrow-right" size={13} label={words.becomes} />}
      <span className={styles['after']}>
        {wordsOf(file.description)}
        {!isLast && ','}
      </span>
    </span>
  );
}

function isNothing({ value }: TimelineChange['before']): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function OneChange({ seen, change }: { readonly seen: SeenArtifact; readonly change: TimelineChange }) {
  const { artifact: words } = useMessages();
  const column = { name: '', type: change.type, label: change.label };
  const isStatus = seen.tracker.semantics.status?.field_id === change.field_id;
  const stages = isStatus ? statusStages(seen.tracker) : undefined;
  const shown = (cell: TimelineChange['before']): ReactNode =>
    isNothing(cell) ? (
      <span>{words.nothing}</span>
    ) : (
      <FieldCell column={column} cell={cell} stages={stages} />
    );
  return (
    <span className={styles['change']}>
      <span className={styles['changedField']}>{change.label}</span>
      {!isNothing(change.before) && (
        <>
          <span className={styles['before']}>{shown(change.before)}</span>
          <Icon name="arrow-right" size={13} label={words.becomes} />
        </>
      )}
      <span className={styles['after']}>{shown(change.after)}</span>
    </span>
  );
}

function LongChange({ change, artifactId }: { readonly change: ShownChange; readonly artifactId: number }) {
  const { artifact: words } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const [whole, setWhole] = useState<Pick<ShownChange, 'before' | 'after'>>();
  const open = async () => {
    if (!isOpen && whole === undefined && change.is_cut) setWhole(await wholeChange(artifactId, change));
    setOpen(!isOpen);
  };
  const { before, after } = whole ?? change;
  return (
    <div className={styles['longChange']}>
      <Button
        kind="quiet"
        size="small"
        opens
        aria-expanded={isOpen}
        onPress={() => void open().catch(tellFault)}
      >
        {words.showChange(change.label)}
      </Button>
      {isOpen && <TextDiff name={change.label} before={textOf(before)} after={textOf(after)} />}
    </div>
  );
}

async function wholeChange(id: number, { field_id: fieldId, firstIn, lastIn, before, after }: ShownChange) {
  const read = (side: 'before' | 'after', changesetId: number | null) =>
    changesetId === null ? undefined : wholeCell(side, { id, changesetId, fieldId });
  const [first, last] = await Promise.all([read('before', firstIn), read('after', lastIn)]);
  return { before: first ?? before, after: last ?? after };
}

function CommentMenu({
  entry,
  seen,
  onEdit,
  onVersions,
  onQuote,
}: {
  readonly entry: ShownEntry;
  readonly seen: SeenArtifact;
  readonly onEdit: () => void;
  readonly onVersions: () => void;
  readonly onQuote: (text: string) => void;
}) {
  const { artifact: words, ui } = useMessages();
  const { id } = seen.artifact;
  const act = (key: string) => {
    if (key === 'edit') onEdit();
    else if (key === 'versions') onVersions();
    else if (key === 'quote') onQuote(sourceOfComment(entry));
    else if (key === 'copy') {
      void copyText(`${location.origin}/artifacts/${id}#change-${entry.changeset_id}`);
      notify({ text: ui.copied });
    } else if (key === 'delete') remove().catch(tellFault);
  };
  const place = useRef<HTMLSpanElement>(null);
  const remove = async () => {
    const { changeset_id: changesetId, comment } = entry;
    if (changesetId === null || comment === null) return;
    const around = pageOf(place.current);
    await editComment(id, changesetId, '');
    const undo = () => void editComment(id, changesetId, comment).catch(tellFault);
    notify({ text: words.commentDeleted, undo });
    // Whoever has gone on to something else meanwhile stays there.
    if (document.activeElement === document.body || place.current?.contains(document.activeElement) === true)
      around?.focus({ preventScroll: true });
  };
  return (
    <span ref={place} className={styles['entryMenu']}>
      <Menu
        aria-label={words.commentActions}
        placement="bottom end"
        trigger={<IconButton icon="dots" size="small" label={words.commentActions} />}
        onAction={(key) => act(String(key))}
      >
        <MenuItem id="quote" icon="blockquote">
          {words.quote}
        </MenuItem>
        <MenuItem id="copy" icon="link">
          {words.copyCommentAddress}
        </MenuItem>
        {entry.may_edit && (
          <MenuItem id="edit" icon="pencil">
            {words.editComment}
          </MenuItem>
        )}
        {entry.may_edit && entry.is_edited && (
          <MenuItem id="versions" icon="history">
            {words.commentVersions}
          </MenuItem>
        )}
        {entry.may_edit && (
          <MenuItem id="delete" icon="trash" isDanger>
            {words.deleteComment}
          </MenuItem>
        )}
      </Menu>
    </span>
  );
}

/** The panel or the page that a control is in: its keys work where it has the focus. */
const pageOf = (control: Element | null) => control?.closest<HTMLElement>('aside, main') ?? null;

const sourceOfComment = ({ comment }: ShownEntry): string => comment?.commonmark ?? comment?.body ?? '';

function CommentEditor({
  entry,
  seen,
  onLeave,
}: {
  readonly entry: ShownEntry;
  readonly seen: SeenArtifact;
  readonly onLeave: () => void;
}) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const source = sourceOfComment(entry);
  const [opened] = useState({ etag: undefined, before: source });
  const draft = useDraft(seen.artifact.uri, `comment ${entry.changeset_id}`, opened);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? draft.content ?? source;
  /** What stood there when the change was begun, or when somebody was told that it is another text by now. */
  const [told, setTold] = useState<string | null>(null);
  const begun = told ?? String(draft.begun?.before ?? opened.before);
  const [isBusy, setBusy] = useState(false);
  const [files, setFiles] = useState<readonly TextFile[]>([]);
  const { tools, isUploading } = useTextTools(seen.place, (file) => setFiles((before) => [...before, file]));
  const change = (next: string) => {
    setTyped(next);
    draft.keep(next);
  };
  const cancel = () => {
    draft.discard();
    onLeave();
  };
  const save = () => {
    if (entry.changeset_id === null || isBusy || isUploading) return;
    // What somebody else made of it meanwhile stays.
    const { text: merged } = mergeTexts(begun, text, source);
    if (merged === undefined) {
      setTold(source);
      notify({ kind: 'bad', text: words.commentChangedMeanwhile });
      return;
    }
    setBusy(true);
    const fields = fileChanges(seen, files, merged);
    if (fields.length > 0) changeArtifact(seen.artifact.uri, { fields });
    editComment(seen.artifact.id, entry.changeset_id, merged)
      .then(cancel)
      .catch((error: unknown) => {
        setBusy(false);
        tellFault(error);
      });
  };
  return (
    <MarkdownEditor
      {...tools}
      label={words.editComment}
      value={text}
      onChange={change}
      autoFocus
      showsTools
      onSend={save}
      onEscape={onLeave}
      end={
        <>
          {draft.keptAt !== undefined && text !== source && (
            <span className={styles['draft']}>
              {words.draftKept(formats.time(deviceMoment(draft.keptAt)))}
            </span>
          )}
          <Button size="small" onPress={cancel}>
            {words.cancel}
          </Button>
          <Button size="small" kind="primary" isBusy={isBusy} isDisabled={isUploading} onPress={save}>
            {words.save}
          </Button>
        </>
      }
    />
  );
}

/** A comment that is not stored yet stands where it will. */
function PendingComment({ body }: { readonly body: string }) {
  const { artifact: words } = useMessages();
  const { user } = useStanding();
  const formats = useFormats();
  if (user === null) return null;
  const person = personOf(user);
  return (
    <li className={styles['entry']}>
      <Face {...person} size={24} />
      <div className={styles['entryBody']}>
        <div className={styles['entryLine']}>
          <span className={styles['entryWords']}>
            <span className={styles['strong']}>{person.name}</span> {words.commented} <NotSavedYet />
          </span>
          <span className={styles['when']}>{formats.ago(new Date().toISOString())}</span>
        </div>
        <p className={styles['pendingText']}>{body}</p>
      </div>
    </li>
  );
}
