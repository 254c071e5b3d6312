import type { Artifact } from '@atelier/client/routes';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Link, Button as PlainButton } from 'react-aria-components';
import { pageOf } from '../kernel/addresses.ts';
import { useMessages } from '../messages/index.ts';
import { Page, Part, useCommands } from '../shell/index.ts';
import { useFavorites, useStanding } from '../store/index.ts';
import {
  Button,
  EmptyDash,
  EmptyPlace,
  ErrorPlace,
  Icon,
  iconNameOf,
  LinkButton,
  Menu,
  MenuItem,
  RelativeTime,
  Skeleton,
  StatusRing,
  TabPanel,
  Tabs,
  TrackerMark,
} from '../ui/index.ts';
import { Activity } from './activity.tsx';
import { useActivity, useVisited, useWork, type WorkTab } from './calls.ts';
import { type Grouping, groupings, groupWork, type WorkGroup } from './groups.ts';
import styles from './home.module.css';
import { VisitorsHome } from './visitors.tsx';

type TabId = WorkTab | 'recent';
const tabIds: readonly TabId[] = ['assigned', 'submitted', 'recent'];

const tabOf = (text: string | undefined): TabId => tabIds.find((id) => id === text) ?? 'assigned';
const groupingOf = (text: string | undefined): Grouping => groupings.find((id) => id === text) ?? 'tracker';

function WorkRow({ artifact, isCurrent }: { readonly artifact: Artifact; readonly isCurrent: boolean }) {
  const { search } = useMessages();
  const { id, uri, title, full_status: status, is_open: isOpen, last_modified_date: changed } = artifact;
  return (
    <li className={isCurrent ? styles['current'] : undefined}>
      <Link href={`/${uri}`} className={styles['row'] ?? ''} data-uri={uri}>
        <span className={styles['id']}>{id}</span>
        <span className={styles['title']}>{title ?? search.untitled}</span>
        <span className={styles['status']}>
          {status === null ? (
            <EmptyDash />
          ) : (
            <>
              <StatusRing colour={status.color} stage={isOpen ? 'empty' : 'done'} />
              <span>{status.value}</span>
            </>
          )}
        </span>
        <span className={styles['time']}>
          <RelativeTime at={changed} />
        </span>
      </Link>
    </li>
  );
}

function Group({ group, current }: { readonly group: WorkGroup; readonly current: string | undefined }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <section aria-label={group.name}>
      <h2 className={styles['group']}>
        <PlainButton className={styles['fold'] ?? ''} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
          {group.color !== undefined && <TrackerMark colour={group.color} />}
          <span>
            {group.before !== undefined && <span className={styles['before']}>{group.before} / </span>}
            {group.name}
          </span>
          <span className={styles['groupCount']}>{group.artifacts.length}</span>
        </PlainButton>
      </h2>
      {isOpen && (
        <ul>
          {group.artifacts.map((artifact) => (
            <WorkRow key={artifact.id} artifact={artifact} isCurrent={artifact.uri === current} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** j and k walk through the rows of all groups, Enter opens the one at hand. */
function useWalk(groups: readonly WorkGroup[]): string | undefined {
  const { home } = useMessages();
  const navigate = useNavigate();
  const uris = groups.flatMap(({ artifacts }) => artifacts.map(({ uri }) => uri));
  const [current, setCurrent] = useState<string>();
  const go = (step: number) => {
    const index = current === undefined ? (step > 0 ? 0 : uris.length - 1) : uris.indexOf(current) + step;
    const next = uris[Math.max(0, Math.min(uris.length - 1, index))];
    setCurrent(next);
    document.querySelector(`[data-uri="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useCommands([
    { id: 'next-row', name: home.keys.next, keys: ['j', 'arrowdown'], isHidden: true, run: () => go(1) },
    {
      id: 'previous-row',
      name: home.keys.previous,
      keys: ['k', 'arrowup'],
      isHidden: true,
      run: () => go(-1),
    },
    {
      id: 'open-row',
      name: home.keys.open,
      keys: 'o',
      isHidden: true,
      run: () => {
        if (current !== undefined) void navigate({ to: `/${current}` });
      },
    },
  ]);
  return current;
}

function WorkList({ tab, grouping }: { readonly tab: WorkTab; readonly grouping: Grouping }) {
  const { home } = useMessages();
  const { data, error, refetch } = useWork(tab);
  const groups = groupWork(data?.artifacts ?? [], grouping, home.noStatus);
  const current = useWalk(groups);
  if (data === undefined && error !== null)
    return (
      <div className={styles['pad']}>
        <ErrorPlace words={error.message} onRetry={() => void refetch()} />
      </div>
    );
  if (data === undefined) return <Skeleton lines={8} className={styles['pad'] ?? ''} />;
  if (data.artifacts.length === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace
          icon="circle-check"
          name={home.nothing[tab]}
          actions={<LinkButton href="/projects">{home.lookAtProjects}</LinkButton>}
        >
          {home.nothingWords[tab]}
        </EmptyPlace>
      </div>
    );
  return groups.map((group) => <Group key={group.id} group={group} current={current} />);
}

function RecentList() {
  const { home } = useMessages();
  const { data, error, refetch } = useVisited();
  if (data === undefined && error !== null)
    return (
      <div className={styles['pad']}>
        <ErrorPlace words={error.message} onRetry={() => void refetch()} />
      </div>
    );
  if (data === undefined) return <Skeleton lines={8} className={styles['pad'] ?? ''} />;
  if (data.length === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace icon="history" name={home.nothing.recent}>
          {home.nothingWords.recent}
        </EmptyPlace>
      </div>
    );
  return (
    <ul>
      {data.map((entry) => (
        <li key={`${entry.type} ${entry.per_type_id}`}>
          <Link href={pageOf(window.location.origin, entry.html_url)} className={styles['row'] ?? ''}>
            <span className={styles['visitedMark']}>
              {entry.color_name === '' ? (
                <Icon name={iconNameOf(entry.icon_name, 'file-text')} />
              ) : (
                <TrackerMark colour={entry.color_name} />
              )}
            </span>
            <span className={styles['reference']}>{entry.xref}</span>
            <span className={styles['title']}>{entry.title}</span>
            <span className={styles['time']}>
              <RelativeTime at={entry.visit_time} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Favourites() {
  const { home } = useMessages();
  const favorites = useFavorites();
  return (
    <section className={styles['favourites']}>
      <h2 className={styles['sectionName']}>{home.favourites}</h2>
      {favorites.length === 0 && <p className={styles['faint']}>{home.noFavourites}</p>}
      <ul>
        {favorites.map(({ uri, label, html_url: address, color, kind }) => (
          <li key={uri}>
            <Link href={pageOf(window.location.origin, address)} className={styles['favourite'] ?? ''}>
              {color === null ? (
                <Icon name={kind === 'project' ? 'folder' : 'table'} />
              ) : (
                <TrackerMark colour={color} />
              )}
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LastInProjects() {
  const { home } = useMessages();
  const { entries, isKnown } = useActivity();
  return (
    <section className={styles['activity']}>
      <h2 className={styles['sectionName']}>{home.activity}</h2>
      {entries.length === 0 && isKnown && <p className={styles['faint']}>{home.noActivity}</p>}
      <Activity entries={entries.slice(0, 6)} />
    </section>
  );
}

function GroupMenu({ grouping, choose }: { readonly grouping: Grouping; choose(grouping: Grouping): void }) {
  const { home } = useMessages();
  return (
    <Menu
      placement="bottom end"
      trigger={
        <Button kind="quiet" size="small">
          <span className={styles['faint']}>{home.groupBy}</span> {home.groups[grouping]}
        </Button>
      }
    >
      {groupings.map((id) => (
        <MenuItem key={id} isSet={id === grouping} onAction={() => choose(id)}>
          {home.groups[id]}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** For people who are in no project yet. */
function Welcome() {
  const { home, shell } = useMessages();
  const { user, may_create_projects: mayCreate } = useStanding();
  return (
    <div className={styles['pad']}>
      <EmptyPlace
        icon="home"
        name={home.welcome(user?.real_name ?? user?.display_name ?? '')}
        actions={
          <>
            <LinkButton href="/projects">{home.lookAtProjects}</LinkButton>
            {mayCreate && (
              <LinkButton kind="quiet" href="/projects/new">
                {shell.newProject}
              </LinkButton>
            )}
          </>
        }
      >
        {home.welcomeWords}
      </EmptyPlace>
    </div>
  );
}

/** What is mine to do, over all projects. */
function MyWork() {
  const { home } = useMessages();
  const { tab: tabText, group } = useSearch({ from: '/' });
  const { memberships } = useStanding();
  const navigate = useNavigate();
  const tab = tabOf(tabText);
  const grouping = groupingOf(group);
  const assigned = useWork('assigned');
  const submitted = useWork('submitted');
  const counts = { assigned: assigned.data?.size, submitted: submitted.data?.size, recent: undefined };
  const show = (id: TabId) =>
    void navigate({
      to: '/',
      search: { ...(id === 'assigned' ? {} : { tab: id }), ...(group ? { group } : {}) },
    });
  return (
    <Page
      title={home.title}
      crumbs={[{ name: home.title }]}
      isAsking={assigned.isFetching && assigned.data !== undefined}
    >
      <Tabs
        label={home.title}
        selectedKey={tab}
        onSelectionChange={(key) => show(tabOf(String(key)))}
        tabs={tabIds.map((id) => ({ id, name: home.tabs[id], count: counts[id] }))}
        className={styles['tabs'] ?? ''}
      >
        {tab !== 'recent' && (
          <div className={styles['grouping']}>
            <GroupMenu
              grouping={grouping}
              choose={(next) =>
                void navigate({ to: '/', search: { ...(tabText ? { tab: tabText } : {}), group: next } })
              }
            />
          </div>
        )}
        <TabPanel id={tab} className={styles['list'] ?? ''}>
          <Part name={tab}>
            {memberships.length === 0 && tab === 'assigned' && assigned.data?.artifacts.length === 0 ? (
              <Welcome />
            ) : tab === 'recent' ? (
              <RecentList />
            ) : (
              <WorkList tab={tab} grouping={grouping} />
            )}
          </Part>
        </TabPanel>
      </Tabs>
      {memberships.length > 0 && (
        <div className={styles['feet']}>
          <Part name="favourites">
            <Favourites />
          </Part>
          <Part name="activity">
            <LastInProjects />
          </Part>
        </div>
      )}
    </Page>
  );
}

/** `/`: my work; for visitors, what is open to them. */
export function HomePage() {
  const { user } = useStanding();
  return user === null ? <VisitorsHome /> : <MyWork />;
}
