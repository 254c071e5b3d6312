import { UnavailableError } from '@atelier/client';
import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useState } from 'react';
import { stageNamed } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, useCommands } from '../shell/index.ts';
import { againAfter, useList, useStanding, useTracker, wordsOfError } from '../store/index.ts';
import {
  Button,
  classes,
  EmptyPlace,
  ErrorPlace,
  LinkButton,
  Skeleton,
  StatusRing,
  TrackerMark,
} from '../ui/index.ts';
import { type FoundArtifact, foundSource, type SearchWish } from './calls.ts';
import { addressOf } from './facets.tsx';
import styles from './search.module.css';

type Snippet = FoundArtifact['snippets'][number];

/** The text around what was found, which stands out in it. */
function Marked({ text, highlights }: Pick<Snippet, 'text' | 'highlights'>) {
  const edges = highlights.toSorted((left, right) => left.start - right.start);
  let at = 0;
  const pieces = edges.flatMap(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return [before, <mark key={start}>{text.slice(start, end)}</mark>];
  });
  return [...pieces, text.slice(at)];
}

function SnippetLine({ snippet }: { readonly snippet: Snippet }) {
  const { search } = useMessages();
  return (
    <span className={styles['snippet']}>
      <span className={styles['place']}>{search.places[snippet.place]}</span>
      <span>
        <Marked {...snippet} />
      </span>
    </span>
  );
}

/** The ring that its tracker gives the status. */
function FoundStatus({
  tracker: uri,
  status,
}: {
  readonly tracker: string;
  readonly status: NonNullable<FoundArtifact['full_status']>;
}) {
  const { thing: tracker } = useTracker(uri);
  const stage = tracker && stageNamed(tracker, status.value);
  return (
    <>
      <StatusRing colour={status.color} stage={stage ?? 'empty'} />
      <span>{status.value}</span>
    </>
  );
}

interface FoundProps {
  readonly found: FoundArtifact;
  readonly isCurrent: boolean;
  onOpen(id: number): void;
  onFocus(): void;
}

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

function Found({ found, isCurrent, onOpen, onFocus }: FoundProps) {
  const { search } = useMessages();
  const { id, tracker, xref, title, snippets, project, full_status: status } = found;
  const inTitle = snippets.find(({ place }) => place === 'title');
  const others = snippets.filter((snippet) => snippet !== inTitle).slice(0, 2);
  return (
    <li>
      <a
        href={`/artifacts/${id}`}
        data-found={id}
        className={classes(styles['found'], isCurrent && styles['current'])}
        onFocus={onFocus}
        onClick={(event) => {
          if (!isPlain(event)) return;
          event.preventDefault();
          onOpen(id);
        }}
      >
        <TrackerMark colour={tracker.color_name} />
        <span className={styles['reference']}>{xref}</span>
        <span className={styles['words']}>
          <span className={styles['title']}>
            {inTitle === undefined ? (title ?? search.untitled) : <Marked {...inTitle} />}
          </span>
          {others.map((snippet) => (
            <SnippetLine key={`${snippet.place} ${snippet.text}`} snippet={snippet} />
          ))}
        </span>
        <span className={styles['status']}>
          {status !== null && <FoundStatus tracker={tracker.uri} status={status} />}
        </span>
        <span className={styles['project']}>{project.label}</span>
      </a>
    </li>
  );
}

/** Takes too long: the projects that one is in are ways to narrow it. */
function TooSlow({ wish, askAgain }: { readonly wish: SearchWish; askAgain(): void }) {
  const { search, ui } = useMessages();
  const { memberships } = useStanding();
  return (
    <EmptyPlace
      icon="clock"
      name={search.tooSlowName}
      actions={
        <>
          <Button onPress={askAgain}>{ui.tryAgain}</Button>
          {memberships.slice(0, 5).map(({ project }) => (
            <LinkButton key={project.id} kind="quiet" href={addressOf({ ...wish, projectId: project.id })}>
              {search.onlyIn(project.label_without_icon)}
            </LinkButton>
          ))}
        </>
      }
    >
      {search.tooSlow}
    </EmptyPlace>
  );
}

/** Pixels of a window below which an artifact is opened as a page. */
const roomForPanel = 1100;

export interface ResultsProps {
  readonly wish: SearchWish;
  readonly opened: number | undefined;
  onOpen(id: number): void;
  /** Told where the opened one stands, and how to go on from it. */
  onPosition(position: { readonly place: number; readonly size: number; openAt(place: number): void }): void;
}

/** What was found, read on as one scrolls; j and k walk through it, Enter and o open. */
export function Results({ wish, opened, onOpen, onPosition }: ResultsProps) {
  const { search, home } = useMessages();
  const formats = useFormats();
  const router = useRouter();
  const source = foundSource(wish);
  const [wanted, setWanted] = useState(source.pageSize);
  const [current, setCurrent] = useState<number>();
  const list = useList(source, { from: 0, to: wanted });
  const { size } = list;
  const seen = Array.from({ length: Math.min(size ?? 0, wanted) }, (_, index) => list.itemAt(index));
  const words = size === undefined ? '' : search.results(formats.number(size), size);
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  const open = (id: number) => {
    if (window.innerWidth < roomForPanel) router.history.push(`/artifacts/${id}`);
    else onOpen(id);
  };
  const goTo = (place: number) => {
    const found = seen[Math.max(0, Math.min(seen.length - 1, place))];
    if (found === undefined) return undefined;
    setCurrent(found.id);
    document.querySelector<HTMLElement>(`[data-found="${found.id}"]`)?.focus();
    return found.id;
  };
  const placeOf = (id: number | undefined) => seen.findIndex((found) => found?.id === id);
  const openedPlace = placeOf(opened);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told anew when the place is another one.
  useEffect(() => {
    if (openedPlace < 0 || size === undefined) return;
    const openAt = (place: number) => {
      const id = goTo(place);
      if (id !== undefined) onOpen(id);
    };
    onPosition({ place: openedPlace, size: seen.length, openAt });
  }, [openedPlace, seen.length]);
  // Where nothing was found there is nothing to walk through.
  useCommands(
    seen.length === 0
      ? []
      : [
          {
            id: 'next-row',
            name: home.keys.next,
            keys: ['j', 'arrowdown'],
            isHidden: true,
            run: () => void goTo(placeOf(current) + 1),
          },
          {
            id: 'previous-row',
            name: home.keys.previous,
            keys: ['k', 'arrowup'],
            isHidden: true,
            run: () => void goTo(current === undefined ? seen.length - 1 : placeOf(current) - 1),
          },
          {
            id: 'open-row',
            name: home.keys.open,
            keys: 'o',
            isHidden: true,
            reasonNot: current === undefined ? home.keys.noRow : undefined,
            run: () => {
              if (current !== undefined) open(current);
            },
          },
        ],
  );
  if (size === undefined && list.error !== null)
    return (
      <div className={styles['pad']}>
        {list.error instanceof UnavailableError ? (
          <TooSlow wish={wish} askAgain={list.askAgain} />
        ) : (
          <ErrorPlace words={wordsOfError(list.error)} onRetry={againAfter(list.error, list.askAgain)} />
        )}
      </div>
    );
  if (size === undefined) return <Skeleton lines={8} className={styles['pad'] ?? ''} />;
  if (size === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace icon="search" name={search.nothing(wish.words)}>
          {search.nothingWords}
        </EmptyPlace>
      </div>
    );
  return (
    <>
      <p className={styles['count']}>{words}</p>
      <ul>
        {seen.map(
          (found) =>
            found !== undefined && (
              <Found
                key={found.id}
                found={found}
                isCurrent={found.id === current || found.id === opened}
                onOpen={open}
                onFocus={() => setCurrent(found.id)}
              />
            ),
        )}
      </ul>
      {wanted < size && (
        <div className={styles['pad']}>
          <Button onPress={() => setWanted(wanted + source.pageSize)} isBusy={list.isAsking}>
            {search.more}
          </Button>
        </div>
      )}
    </>
  );
}
