import { NotFoundError } from '@atelier/client';
import { type ReactNode, useState } from 'react';
import { ArtifactPanel } from '../artifact/index.ts';
import { useMessages } from '../messages/index.ts';
import { Page, ProblemPage } from '../shell/index.ts';
import { type Notification, useStanding, useUnread, wordsOfError } from '../store/index.ts';
import { Button, EmptyPlace, ErrorPlace, Key, Skeleton, TabPanel, Tabs } from '../ui/index.ts';
import { useInboxActs } from './acts.ts';
import { useGo, useWish } from './address.ts';
import { type InboxTab, inboxTabs, useInbox, useInboxSizes } from './calls.ts';
import { Entry } from './entry.tsx';
import { Filters } from './filters.tsx';
import styles from './inbox.module.css';
import { useInboxKeys } from './keys.ts';
import { Nothing } from './nothing.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useWalk } from './walk.ts';

function Hints(): ReactNode {
  const { hints } = useMessages().inbox;
  return (
    <p className={styles['hints']} aria-hidden="true">
      <Key keys="e" /> {hints.done} <Key keys="h" /> {hints.snooze} <Key keys="u" /> {hints.unread}{' '}
      <Key keys="w" /> {hints.watch}
    </p>
  );
}

/** What can be done to an entry from the list and beside it. */
interface EntryActs {
  onDone(entry: Notification): void;
  onSnooze(entry: Notification): void;
}

function EntryList({
  wish,
  list,
  walk,
  acts,
}: {
  readonly wish: ReturnType<typeof useWish>;
  readonly list: ReturnType<typeof useInbox>;
  readonly walk: ReturnType<typeof useWalk>;
  readonly acts: EntryActs;
}) {
  const { inbox } = useMessages();
  const { entries, error, isFirst, isAsking, askAgain, showMore } = list;
  return (
    <section className={styles['list']} aria-label={inbox.list}>
      {isFirst && error === null && <Skeleton lines={8} className={styles['pad'] ?? ''} />}
      {isFirst && error !== null && <ErrorPlace words={wordsOfError(error)} onRetry={askAgain} />}
      {!isFirst && entries.length === 0 && (
        <div className={styles['pad']}>
          <Nothing wish={wish} />
        </div>
      )}
      {entries.length > 0 && (
        <>
          <ul>
            {entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                isCurrent={entry === walk.current}
                isOpen={entry.artifact.id === wish.opened}
                onOpen={() => walk.open(entry)}
                onFocus={() => walk.setCurrent(entry)}
                onDone={() => acts.onDone(entry)}
                onSnooze={() => acts.onSnooze(entry)}
              />
            ))}
          </ul>
          {showMore !== undefined && (
            <div className={styles['pad']}>
              <Button onPress={showMore} isBusy={isAsking}>
                {inbox.more}
              </Button>
            </div>
          )}
          <Hints />
        </>
      )}
    </section>
  );
}

/** Beside an artifact: what is done to the entry that told of it. */
function ActsOfOpen({ entry, acts }: { readonly entry: Notification; readonly acts: EntryActs }) {
  const { inbox } = useMessages();
  return (
    <>
      <Button
        size="small"
        icon={entry.is_done ? 'arrow-back-up' : 'check'}
        onPress={() => acts.onDone(entry)}
      >
        {entry.is_done ? inbox.notDone : inbox.done}
      </Button>
      {!entry.is_done && (
        <Button size="small" icon="clock" onPress={() => acts.onSnooze(entry)}>
          {inbox.snooze}
        </Button>
      )}
    </>
  );
}

function useTabs() {
  const { inbox } = useMessages();
  const unread = useUnread();
  const sizes = useInboxSizes();
  const counts: Readonly<Record<InboxTab, number | undefined>> = {
    inbox: sizes?.inbox,
    unread,
    snoozed: sizes?.snoozed,
    done: undefined,
  };
  return inboxTabs.map((id) => ({
    id,
    name: inbox.tabs[id],
    ...(counts[id] ? { count: counts[id] } : {}),
  }));
}

/** `/inbox?tab=&reason=&project=&artifact=` */
export function InboxPage() {
  const { user } = useStanding();
  // Visitors have none.
  if (user === null)
    return <ProblemPage error={new NotFoundError({ status: 403, message: '', body: undefined })} />;
  return <InboxOf />;
}

function InboxOf() {
  const { inbox } = useMessages();
  const wish = useWish();
  const { tab, opened } = wish;
  const go = useGo();
  const acts = useInboxActs();
  const list = useInbox(wish);
  const { entries, isFirst, isAsking } = list;
  const walk = useWalk(entries, opened);
  const { openEntry } = walk;
  const tabs = useTabs();
  const [snoozing, setSnoozing] = useState<Notification>();

  const done = (entry: Notification) => {
    walk.leave(entry);
    if (entry.is_done) acts.notDone(entry);
    else acts.done(entry);
  };
  const snooze = (entry: Notification, until: Date) => {
    if (tab !== 'snoozed') walk.leave(entry);
    acts.snooze(entry, until);
  };
  const close = () => walk.show(undefined);
  const allDone = () => acts.allDone(entries);
  const entryActs = { onDone: done, onSnooze: setSnoozing };
  useInboxKeys({
    ...{ current: walk.current, hasOpen: opened !== undefined },
    ...{ isAllDone: entries.length === 0 || tab === 'done' },
    ...{ move: walk.move, open: walk.open, close, done, allDone },
    ...{ turnRead: acts.turnRead, snooze: setSnoozing },
  });
  return (
    <Page title={inbox.title} crumbs={[{ name: inbox.title }]} isAsking={isAsking && !isFirst} fillsHeight>
      <Tabs
        className={styles['whole'] ?? ''}
        label={inbox.tabsLabel}
        selectedKey={tab}
        onSelectionChange={(id) => go({ tab: id === 'inbox' ? undefined : String(id), artifact: undefined })}
        tabs={tabs}
      >
        <span className={styles['topActs']}>
          <Filters wish={wish} entries={entries} />
          {tab !== 'done' && (
            <Button
              kind="quiet"
              size="small"
              icon="check"
              isDisabled={entries.length === 0}
              onPress={allDone}
            >
              {inbox.allDone}
            </Button>
          )}
        </span>
        <TabPanel id={tab} className={styles['columns'] ?? ''}>
          <EntryList wish={wish} list={list} walk={walk} acts={entryActs} />
          <div className={styles['right']}>
            {opened === undefined ? (
              entries.length > 0 && (
                <div className={styles['pad']}>
                  <EmptyPlace icon="inbox" name={inbox.empty.right}>
                    {inbox.empty.rightWords}
                  </EmptyPlace>
                </div>
              )
            ) : (
              <ArtifactPanel
                key={opened}
                id={opened}
                onClose={close}
                fillsRest
                leavesKeys={['e']}
                actions={openEntry !== undefined && <ActsOfOpen entry={openEntry} acts={entryActs} />}
              />
            )}
          </div>
        </TabPanel>
      </Tabs>
      <SnoozeDialog
        entry={snoozing}
        onClose={() => setSnoozing(undefined)}
        onChoose={snooze}
        onWake={acts.wake}
      />
    </Page>
  );
}
