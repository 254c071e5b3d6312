import { NotFoundError } from '@atelier/client';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ArtifactPanel } from '../artifact/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify, Page, ProblemPage, useCommands } from '../shell/index.ts';
import { type Notification, useStanding, useUnread } from '../store/index.ts';
import {
  Button,
  EmptyPlace,
  ErrorPlace,
  Key,
  LinkButton,
  Menu,
  MenuItem,
  MenuSection,
  Skeleton,
  TabPanel,
  Tabs,
} from '../ui/index.ts';
import { useInboxActs } from './acts.ts';
import {
  type InboxReason,
  type InboxTab,
  type InboxWish,
  inboxReasons,
  inboxTabs,
  turnWatching,
  useInbox,
  useInboxSizes,
} from './calls.ts';
import { Entry } from './entry.tsx';
import styles from './inbox.module.css';
import { SnoozeDialog } from './snooze-dialog.tsx';

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Pixels of a window below which an artifact is opened as a page. */
const roomForPanel = 1100;

function useWish(): InboxWish & { readonly opened: number | undefined } {
  const { tab, reason, project, artifact } = useSearch({ from: '/inbox' });
  return {
    tab: inboxTabs.find((one) => one === tab) ?? 'inbox',
    reason: inboxReasons.find((one) => one === reason),
    projectId: numberIn(project),
    opened: numberIn(artifact),
  };
}

/** Goes to another part of the inbox; what is not named stays. */
function useGo() {
  const navigate = useNavigate();
  return (
    change: Partial<Record<'tab' | 'reason' | 'project' | 'artifact', string | undefined>>,
    replace = false,
  ) => void navigate({ to: '/inbox', search: (before) => ({ ...before, ...change }), replace });
}

/** Projects that one can narrow to: one's own, and those of what is seen. */
function useProjects(entries: readonly Notification[]): ReadonlyMap<number, string> {
  const { memberships } = useStanding();
  return new Map([
    ...memberships.map(({ project }): [number, string] => [project.id, project.label_without_icon]),
    ...entries.map(({ artifact: { project } }): [number, string] => [project.id, project.label]),
  ]);
}

function Filters({ wish, entries }: { readonly wish: InboxWish; readonly entries: readonly Notification[] }) {
  const { inbox } = useMessages();
  const go = useGo();
  const projects = useProjects(entries);
  const { reason, projectId } = wish;
  const reasonName = reason === undefined ? inbox.all : inbox.reasonNames[reason];
  const projectName = projectId === undefined ? inbox.all : (projects.get(projectId) ?? `#${projectId}`);
  return (
    <>
      <Menu
        aria-label={inbox.reason}
        placement="bottom end"
        trigger={
          <Button kind="quiet" size="small" aria-label={`${inbox.reason}: ${reasonName}`}>
            {inbox.reason} <b>{reasonName}</b>
          </Button>
        }
        onAction={(id) => go({ reason: id === 'all' ? undefined : String(id) })}
      >
        <MenuSection>
          <MenuItem id="all" isSet={reason === undefined}>
            {inbox.all}
          </MenuItem>
        </MenuSection>
        <MenuSection>
          {inboxReasons.map((id: InboxReason) => (
            <MenuItem key={id} id={id} isSet={id === reason}>
              {inbox.reasonNames[id]}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
      <Menu
        aria-label={inbox.project}
        placement="bottom end"
        trigger={
          <Button kind="quiet" size="small" aria-label={`${inbox.project}: ${projectName}`}>
            {inbox.project} <b>{projectName}</b>
          </Button>
        }
        onAction={(id) => go({ project: id === 'all' ? undefined : String(id) })}
      >
        <MenuSection>
          <MenuItem id="all" isSet={projectId === undefined}>
            {inbox.all}
          </MenuItem>
        </MenuSection>
        <MenuSection>
          {[...projects].map(([id, name]) => (
            <MenuItem key={id} id={String(id)} isSet={id === projectId}>
              {name}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </>
  );
}

/** Why there is nothing here, and what would be. */
function Nothing({ wish }: { readonly wish: InboxWish }) {
  const { inbox } = useMessages();
  const { memberships } = useStanding();
  const formats = useFormats();
  const go = useGo();
  const { tab, reason, projectId } = wish;
  const { empty } = inbox;
  if (reason !== undefined || projectId !== undefined) {
    const project = memberships.find(({ project: { id } }) => id === projectId)?.project.label_without_icon;
    const names = [
      ...(reason === undefined ? [] : [inbox.reasonNames[reason]]),
      ...(projectId === undefined ? [] : [project ?? `#${projectId}`]),
    ];
    return (
      <EmptyPlace
        icon="filter"
        name={empty.filtered}
        actions={<Button onPress={() => go({ reason: undefined, project: undefined })}>{empty.clear}</Button>}
      >
        {empty.filteredWords(formats.list(names))}
      </EmptyPlace>
    );
  }
  const words: Readonly<Record<InboxTab, string>> = {
    inbox: empty.inboxWords,
    unread: empty.unreadWords,
    snoozed: empty.snoozedWords,
    done: empty.doneWords,
  };
  return (
    <EmptyPlace
      icon={tab === 'snoozed' ? 'clock' : tab === 'done' ? 'check' : 'inbox'}
      name={empty[tab]}
      actions={
        tab === 'inbox' ? <LinkButton href="/account/notifications">{empty.wishes}</LinkButton> : undefined
      }
    >
      {words[tab]}
    </EmptyPlace>
  );
}

function Hints(): ReactNode {
  const { hints } = useMessages().inbox;
  return (
    <p className={styles['hints']} aria-hidden="true">
      <Key keys="e" /> {hints.done} <Key keys="h" /> {hints.snooze} <Key keys="u" /> {hints.unread}{' '}
      <Key keys="w" /> {hints.watch}
    </p>
  );
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
  const { inbox, artifact: artifactWords } = useMessages();
  const router = useRouter();
  const wish = useWish();
  const { tab, opened } = wish;
  const go = useGo();
  const acts = useInboxActs();
  const unread = useUnread();
  const sizes = useInboxSizes();
  const { entries, error, isFirst, isAsking, askAgain, showMore } = useInbox(wish);
  const [currentId, setCurrent] = useState<number>();
  const [snoozing, setSnoozing] = useState<Notification>();
  const openEntry = entries.find(({ artifact }) => artifact.id === opened);
  const current = entries.find(({ id }) => id === currentId) ?? openEntry;

  const show = (entry: Notification | undefined) =>
    go(
      { artifact: entry === undefined ? undefined : String(entry.artifact.id) },
      opened !== undefined && entry !== undefined,
    );
  const open = (entry: Notification) => {
    setCurrent(entry.id);
    if (window.innerWidth < roomForPanel) router.history.push(`/artifacts/${entry.artifact.id}`);
    else show(entry);
  };
  const focus = (entry: Notification | undefined) => {
    if (entry === undefined) return;
    setCurrent(entry.id);
    document.querySelector<HTMLElement>(`[data-entry="${entry.id}"]`)?.focus();
  };
  const move = (step: number) => {
    const at = current === undefined ? (step > 0 ? -1 : entries.length) : entries.indexOf(current);
    const next = entries[Math.max(0, Math.min(entries.length - 1, at + step))];
    focus(next);
    if (opened !== undefined && next !== undefined) show(next);
  };
  /** Whatever leaves the list gives its place to the next one. */
  const leave = (entry: Notification) => {
    const at = entries.indexOf(entry);
    const next = entries[at + 1] ?? entries[at - 1];
    focus(next);
    if (entry.artifact.id === opened) show(next);
  };
  const done = (entry: Notification) => {
    leave(entry);
    if (entry.is_done) acts.notDone(entry);
    else acts.done(entry);
  };
  const snooze = (entry: Notification, until: Date) => {
    if (tab !== 'snoozed') leave(entry);
    acts.snooze(entry, until);
  };
  const turn = (member: 'is_watching' | 'is_muted') => {
    if (current === undefined) return;
    turnWatching(current.artifact.id, member)
      .then(({ is_watching: isWatching, is_muted: isMuted }) => {
        const [yes, no] =
          member === 'is_watching'
            ? [artifactWords.nowWatched, artifactWords.notWatched]
            : [artifactWords.muted, artifactWords.unmuted];
        notify({ text: (member === 'is_watching' ? isWatching : isMuted) ? yes : no });
      })
      .catch((fault: Error) => notify({ kind: 'bad', text: fault.message }));
  };
  const forCurrent = (run: (entry: Notification) => void) => ({
    ...(current === undefined ? { reasonNot: inbox.keys.noEntry } : {}),
    run: () => {
      if (current !== undefined) run(current);
    },
  });
  useCommands([
    { id: 'next-row', name: inbox.keys.next, keys: ['j', 'arrowdown'], isHidden: true, run: () => move(1) },
    {
      id: 'previous-row',
      name: inbox.keys.previous,
      keys: ['k', 'arrowup'],
      isHidden: true,
      run: () => move(-1),
    },
    { id: 'open-row', name: inbox.keys.open, keys: 'o', isHidden: true, ...forCurrent(open) },
    { id: 'inbox.done', name: inbox.keys.done, keys: 'e', icon: 'check', ...forCurrent(done) },
    {
      id: 'inbox.all-done',
      name: inbox.keys.allDone,
      keys: 'shift+e',
      icon: 'check',
      ...(entries.length === 0 || tab === 'done' ? { reasonNot: inbox.keys.nothing } : {}),
      run: () => acts.allDone(entries),
    },
    { id: 'inbox.unread', name: inbox.keys.unread, keys: 'u', icon: 'mail', ...forCurrent(acts.turnRead) },
    { id: 'inbox.snooze', name: inbox.keys.snooze, keys: 'h', icon: 'clock', ...forCurrent(setSnoozing) },
    {
      id: 'artifact.watch',
      name: artifactWords.watch,
      keys: 'w',
      icon: 'eye',
      ...forCurrent(() => turn('is_watching')),
    },
    {
      id: 'artifact.mute',
      name: artifactWords.mute,
      keys: 'shift+w',
      icon: 'bell-off',
      ...forCurrent(() => turn('is_muted')),
    },
    ...(opened === undefined
      ? []
      : [{ id: 'inbox.close', name: inbox.keys.close, keys: 'escape', run: () => show(undefined) }]),
  ]);
  // What was opened from elsewhere is at hand, too.
  useEffect(() => {
    if (openEntry !== undefined) setCurrent(openEntry.id);
  }, [openEntry]);

  const counts: Readonly<Record<InboxTab, number | undefined>> = {
    inbox: sizes?.inbox,
    unread,
    snoozed: sizes?.snoozed,
    done: undefined,
  };
  return (
    <Page title={inbox.title} crumbs={[{ name: inbox.title }]} isAsking={isAsking && !isFirst} fillsHeight>
      <Tabs
        className={styles['whole'] ?? ''}
        label={inbox.tabsLabel}
        selectedKey={tab}
        onSelectionChange={(id) => go({ tab: id === 'inbox' ? undefined : String(id), artifact: undefined })}
        tabs={inboxTabs.map((id) => ({
          id,
          name: inbox.tabs[id],
          ...(counts[id] ? { count: counts[id] } : {}),
        }))}
      >
        <span className={styles['topActs']}>
          <Filters wish={wish} entries={entries} />
          {tab !== 'done' && (
            <Button
              kind="quiet"
              size="small"
              icon="check"
              isDisabled={entries.length === 0}
              onPress={() => acts.allDone(entries)}
            >
              {inbox.allDone}
            </Button>
          )}
        </span>
        <TabPanel id={tab} className={styles['columns'] ?? ''}>
          <section className={styles['list']} aria-label={inbox.list}>
            {isFirst && error === null && <Skeleton lines={8} className={styles['pad'] ?? ''} />}
            {isFirst && error !== null && <ErrorPlace words={error.message} onRetry={askAgain} />}
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
                      isCurrent={entry === current}
                      isOpen={entry.artifact.id === opened}
                      onOpen={() => open(entry)}
                      onFocus={() => setCurrent(entry.id)}
                      onDone={() => done(entry)}
                      onSnooze={() => setSnoozing(entry)}
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
                onClose={() => show(undefined)}
                fillsRest
                leavesKeys={['e']}
                actions={
                  openEntry !== undefined && (
                    <>
                      <Button
                        size="small"
                        icon={openEntry.is_done ? 'arrow-back-up' : 'check'}
                        onPress={() => done(openEntry)}
                      >
                        {openEntry.is_done ? inbox.notDone : inbox.done}
                      </Button>
                      {!openEntry.is_done && (
                        <Button size="small" icon="clock" onPress={() => setSnoozing(openEntry)}>
                          {inbox.snooze}
                        </Button>
                      )}
                    </>
                  )
                }
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
