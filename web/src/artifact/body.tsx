import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { FieldValue } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { provideConflict, provideEditAgain, setAside } from '../shell/index.ts';
import { type ChangeLog, type PendingChange, readInInbox, useNews, usePreference } from '../store/index.ts';
import { Button, classes, Note, TabPanel, Tabs, useMedia, useSecondDraw } from '../ui/index.ts';
import styles from './artifact.module.css';
import { Children } from './children.tsx';
import { Composer } from './composer.tsx';
import { ConflictDialog } from './conflict.tsx';
import { editAgain } from './edit-again.ts';
import { StatusLine, Title, titleOf } from './head.tsx';
import { type Layout, layoutOf } from './layout.ts';
import { LAYOUT } from './more.tsx';
import { AsBuilt, Files, Links, Sections } from './sections.tsx';
import { moreOf, type SeenArtifact } from './seen.ts';
import { Origins, Strip, StripFields } from './strip.tsx';
import { Timeline } from './timeline.tsx';

export interface BodyProps {
  readonly seen: SeenArtifact;
  readonly pending: ChangeLog;
  /** Whether somebody took it away while it was looked at. */
  readonly isGone?: boolean;
  /** In a panel, as in a narrow window, facts stand above the text, in two columns. */
  readonly isPanel?: boolean;
}

export function useLayout(seen: SeenArtifact): Layout {
  return useMemo(
    () => layoutOf(seen.tracker, moreOf(seen.artifact).hiddenFieldsetIds),
    [seen.tracker, seen.artifact],
  );
}

/** Who looks at it has read what they were told of it, and what is told while they look. */
function useReading({ artifact: { id, last_modified_date: version } }: SeenArtifact): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read once more.
  useEffect(() => {
    // What cannot be noted now stays unread.
    readInInbox(id).catch(() => undefined);
  }, [id, version]);
}

/** All of an artifact: on its page, and in the panel beside a list. */
export function ArtifactBody({ seen, pending, isGone = false, isPanel = false }: BodyProps) {
  const layout = useLayout(seen);
  // What is new is found out before it counts as read.
  const news = useNews(seen.artifact.id);
  useReading(seen);
  const [formLayout] = usePreference(LAYOUT);
  const isBuilt = formLayout === 'built';
  const [quoted, setQuoted] = useState({ text: '', count: 0 });
  const quote = (text: string) => setQuoted(({ count }) => ({ text, count: count + 1 }));
  const isSmall = useMedia('(width < 600px)');
  const isNarrow = useMedia('screen and (width < 900px)');
  const hasStrip = !isPanel && !isBuilt && !isNarrow;
  // What stands below is drawn after what is seen first. A panel itself comes after the key that opened it, a page with it.
  const hasBelow = useSecondDraw();
  const hasBody = isPanel || hasBelow;
  const timeline = hasBelow && (
    <Timeline seen={seen} pending={pending} news={news} isGone={isGone} onQuote={quote} />
  );
  const composer = hasBelow && (
    <>
      {isGone && <Gone />}
      <Composer seen={seen} layout={layout} quoted={quoted} />
    </>
  );
  return (
    <div
      className={classes(styles['artifact'], isPanel && styles['panelBody'])}
      data-outline={hasBelow ? undefined : ''}
    >
      <div className={styles['middle']}>
        <Head seen={seen} layout={layout} />
        {isGone && <Gone isAlert />}
        <Conflict seen={seen} pending={pending} />
        {!hasBody ? null : isSmall ? (
          <SmallBody seen={seen} layout={layout} timeline={timeline} composer={composer} />
        ) : (
          <>
            {isBuilt ? (
              <AsBuilt seen={seen} />
            ) : (
              <>
                {!hasStrip && (
                  <div className={styles['factsAbove']}>
                    <StripFields seen={seen} layout={layout} />
                  </div>
                )}
                <Sections seen={seen} layout={layout} />
                {hasBelow && (
                  <>
                    <Files seen={seen} layout={layout} />
                    <Links seen={seen} layout={layout} />
                    {!hasStrip && <Children seen={seen} layout={layout} />}
                    {!hasStrip && !isPanel && <Origins seen={seen} />}
                  </>
                )}
              </>
            )}
            {timeline}
            {composer}
          </>
        )}
      </div>
      {hasStrip && <Strip seen={seen} layout={layout} isEmpty={!hasBody} />}
    </div>
  );
}

/** Somebody else took it away: what is seen and written can still be copied. */
function Gone({ isAlert = false }: { readonly isAlert?: boolean }) {
  const { shell } = useMessages();
  return (
    <Note meaning="bad" isAlert={isAlert}>
      {shell.gone}
    </Note>
  );
}

/** Scrolled away, status and title stay as one line. */
function Head({ seen, layout }: { readonly seen: SeenArtifact; readonly layout: Layout }) {
  const head = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (head.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) =>
      setAway(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < 60),
    );
    observer.observe(head.current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {isAway && (
        <div className={styles['stuck']} aria-hidden="true">
          <span className={styles['stuckTitle']}>{titleOf(seen, layout.title)}</span>
        </div>
      )}
      <div ref={head} className={styles['head']}>
        <Title seen={seen} field={layout.title} />
        <StatusLine seen={seen} layout={layout} />
      </div>
    </>
  );
}

function Conflict({ seen, pending }: { readonly seen: SeenArtifact; readonly pending: ChangeLog }) {
  const { artifact: words } = useMessages();
  const change = pending.find(({ state }) => state === 'conflict');
  const [closedId, setClosedId] = useState<string | null>(null);
  const router = useRouter();
  useEffect(() => {
    const open = ({ id, uri }: PendingChange) => {
      setClosedId((closed) => (closed === id ? null : closed));
      if (uri !== seen.artifact.uri) router.history.push(`/${uri}`);
    };
    return provideConflict(open);
  }, [router, seen.artifact.uri]);
  useEffect(
    () =>
      provideEditAgain(({ uri, fields: [field] }) => {
        const typed = field?.value;
        if (field === undefined || !editAgain(uri, field.fieldId, isFieldValue(typed) ? typed : undefined))
          router.history.push(`/${uri}`);
      }),
    [router],
  );
  const id = change?.id;
  useEffect(() => (id === undefined ? undefined : setAside(id)), [id]);
  if (change === undefined) return null;
  return (
    <>
      <Note
        meaning="care"
        actions={
          <Button size="small" onPress={() => setClosedId(null)}>
            {words.conflict.choose}
          </Button>
        }
      >
        {words.conflict.waiting}
      </Note>
      {closedId !== change.id && (
        <ConflictDialog seen={seen} change={change} onClose={() => setClosedId(change.id)} />
      )}
    </>
  );
}

const isFieldValue = (value: object | undefined): value is FieldValue =>
  value !== undefined && 'field_id' in value && 'type' in value && 'label' in value;

function SmallBody({
  seen,
  layout,
  timeline,
  composer,
}: {
  readonly seen: SeenArtifact;
  readonly layout: Layout;
  readonly timeline: ReactNode;
  readonly composer: ReactNode;
}) {
  const { artifact: words } = useMessages();
  const tabs = [
    { id: 'details', name: words.details },
    { id: 'timeline', name: words.timeline },
    { id: 'links', name: words.links },
    { id: 'files', name: words.files },
  ];
  return (
    <Tabs label={words.details} tabs={tabs} className={styles['smallTabs'] ?? ''}>
      <TabPanel id="details" className={styles['smallPanel'] ?? ''}>
        <StripFields seen={seen} layout={layout} />
        <Sections seen={seen} layout={layout} />
        {composer}
      </TabPanel>
      <TabPanel id="timeline" className={styles['smallPanel'] ?? ''}>
        {timeline}
        {composer}
      </TabPanel>
      <TabPanel id="links" className={styles['smallPanel'] ?? ''}>
        <Children seen={seen} layout={layout} />
        <Links seen={seen} layout={layout} />
      </TabPanel>
      <TabPanel id="files" className={styles['smallPanel'] ?? ''}>
        <Files seen={seen} layout={layout} />
      </TabPanel>
    </Tabs>
  );
}
