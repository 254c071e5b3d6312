import { useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useRef } from 'react';
import { leastPanelWidth, panelWidth, panelWidthKey } from '../kernel/panel-width.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { letKeysWait, useCommands } from '../shell/index.ts';
import { usePreference, wordsOfError } from '../store/index.ts';
import { classes, ErrorPlace, IconButton, Skeleton, TrackerMark } from '../ui/index.ts';
import styles from './artifact.module.css';
import { ArtifactBody, useLayout } from './body.tsx';
import { keysOfArtifact, useArtifactCommands } from './keys.ts';
import { addressOf, copy, MoreMenu } from './more.tsx';
import { type SeenArtifact, useSeenArtifact } from './seen.ts';
import { WatchMenu } from './watch.tsx';

export interface ArtifactPanelProps {
  readonly id: number;
  readonly onClose: () => void;
  /** Where it stands in the list that it was opened from: counted from 1. */
  readonly position?: { readonly place: number; readonly size: number } | undefined;
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  /** Acts of the page around it, before those of the artifact. */
  readonly actions?: ReactNode;
  /** True where it takes all the room beside the list, instead of a width of its own. */
  readonly fillsRest?: boolean | undefined;
  /** Keys that the page around it has for something else. */
  readonly leavesKeys?: readonly string[] | undefined;
}

/** An artifact beside the list that it was opened from. */
export function ArtifactPanel(props: ArtifactPanelProps) {
  const { id, onClose, position, onPrevious, onNext, actions, fillsRest = false, leavesKeys } = props;
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const router = useRouter();
  const { seen, pending, error, isGone, askAgain } = useSeenArtifact(id);
  // What was asked for and comes is drawn in pieces, so that the next keys need not wait for all of it.
  const drawn = useDeferredValue(seen && id);
  const panel = useRef<HTMLElement>(null);
  useFocusBack(id);
  const commanded = useWaitingKeys(id, error !== null && seen === undefined, leavesKeys);
  const [keptWidth, keepWidth] = usePreference(panelWidthKey);
  const width = panelWidth(keptWidth);
  useCommands([
    ...(onNext ? [{ id: 'artifact.next', name: words.next, keys: 'shift+j', run: onNext }] : []),
    ...(onPrevious
      ? [{ id: 'artifact.previous', name: words.previous, keys: 'shift+k', run: onPrevious }]
      : []),
  ]);
  return (
    <aside
      ref={panel}
      className={classes(styles['panel'], fillsRest && styles['panelOfRest'])}
      {...(fillsRest ? {} : { style: { width } })}
      aria-label={seen?.artifact.xref ?? `#${id}`}
      tabIndex={-1}
    >
      {!fillsRest && <Handle panel={panel} width={width} onKeep={(kept) => keepWidth(String(kept))} />}
      <header className={styles['panelHead']}>
        {seen && <TrackerMark colour={seen.tracker.color_name} />}
        <span className={styles['panelName']}>{seen?.artifact.xref ?? `#${id}`}</span>
        {position && (
          <>
            <IconButton
              icon="chevron-up"
              size="small"
              label={words.previous}
              keys="Shift k"
              isDisabled={!onPrevious}
              onPress={() => onPrevious?.()}
            />
            <span className={styles['second']}>
              {words.nOfM(formats.number(position.place), formats.number(position.size))}
            </span>
            <IconButton
              icon="chevron-down"
              size="small"
              label={words.next}
              keys="Shift j"
              isDisabled={!onNext}
              onPress={() => onNext?.()}
            />
          </>
        )}
        <span className={styles['space']} />
        {actions}
        {seen && (
          <>
            <WatchMenu id={id} isSmall />
            <IconButton
              icon="copy"
              size="small"
              label={words.copyAddress}
              onPress={() => copy(addressOf(seen), words.copied)}
            />
            <MoreMenu seen={seen} onGone={onClose} />
          </>
        )}
        <IconButton
          icon="arrows-diagonal"
          size="small"
          label={words.openAsPage}
          onPress={() => router.history.push(`/artifacts/${id}`)}
        />
        <IconButton icon="x" size="small" label={words.closePanel} keys="Esc" onPress={onClose} />
      </header>
      <div className={styles['panelScroll']}>
        {seen && drawn === id ? (
          <>
            <Commands seen={seen} leavesKeys={leavesKeys} commanded={commanded} />
            <ArtifactBody key={id} seen={seen} pending={pending} isGone={isGone} isPanel />
          </>
        ) : error && !seen ? (
          <div className={styles['panelWaiting']}>
            <ErrorPlace words={wordsOfError(error)} onRetry={askAgain} />
          </div>
        ) : (
          <Skeleton lines={8} className={styles['panelWaiting'] ?? ''} />
        )}
      </div>
    </aside>
  );
}

/** Whoever closes it from within stands at what it was opened from, or at what stands for it there, and not nowhere. */
function useFocusBack(id: number): void {
  const shown = useRef(id);
  useEffect(() => {
    shown.current = id;
  }, [id]);
  useEffect(() => {
    const { activeElement: before } = document;
    const { pathname } = window.location;
    return () => {
      // A table leads back to its rows itself.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body || window.location.pathname !== pathname) return;
        const main = document.getElementById('main');
        const link = main?.querySelector<HTMLElement>(`a[href="/artifacts/${shown.current}"]`);
        const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
        (link ?? (isThere ? before : main))?.focus();
      });
    };
  }, []);
}

/**
 * Keys of an artifact wait for the one that the address names: the panel shows another one for a moment, and then none. Tells whose keys
 * work.
 */
function useWaitingKeys(
  id: number,
  isLacking: boolean,
  leavesKeys: readonly string[] = [],
): RefObject<number | undefined> {
  const router = useRouter();
  const commanded = useRef<number>(undefined);
  const isMeant = (key: string) => {
    if (isLacking || leavesKeys.includes(key) || !keysOfArtifact.includes(key)) return false;
    const { open = id }: { readonly open?: number | string } = router.latestLocation.search;
    // Who comments before an artifact is drawn has what they type held for it.
    if (key === 'm' && commanded.current === undefined) return false;
    return Number(open) !== commanded.current;
  };
  const latest = useRef(isMeant);
  useEffect(() => {
    latest.current = isMeant;
  });
  useEffect(() => letKeysWait((key) => latest.current(key)), []);
  return commanded;
}

function Commands({
  seen,
  leavesKeys,
  commanded,
}: {
  readonly seen: SeenArtifact;
  readonly leavesKeys: readonly string[] | undefined;
  readonly commanded: RefObject<number | undefined>;
}) {
  const { id } = seen.artifact;
  useArtifactCommands(seen, useLayout(seen), leavesKeys);
  useEffect(() => {
    commanded.current = id;
    return () => {
      commanded.current = undefined;
    };
  }, [id, commanded]);
  return null;
}

/** Dragged, or moved by arrows; the width is kept. */
function Handle({
  panel,
  width,
  onKeep,
}: {
  readonly panel: RefObject<HTMLElement | null>;
  readonly width: number;
  readonly onKeep: (width: number) => void;
}) {
  const { artifact: words } = useMessages();
  const keep = (wished: number) => {
    const most = window.innerWidth * 0.6;
    const kept = Math.round(Math.min(Math.max(wished, leastPanelWidth), most));
    if (panel.current) panel.current.style.width = `${kept}px`;
    return kept;
  };
  const widthNow = () => panel.current?.getBoundingClientRect().width ?? width;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is no rule
    <div
      className={styles['handle']}
      role="separator"
      aria-orientation="vertical"
      aria-label={words.details}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) keep(window.innerWidth - event.clientX);
      }}
      onPointerUp={() => onKeep(Math.round(widthNow()))}
      onKeyDown={(event) => {
        const step = { ArrowLeft: 16, ArrowRight: -16 }[event.key];
        if (step !== undefined) onKeep(keep(widthNow() + step));
      }}
    />
  );
}
