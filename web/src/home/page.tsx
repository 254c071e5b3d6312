import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { Link } from 'react-aria-components';
import { pageOf } from '../kernel/addresses.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { Page, Part, useCommands, WaitingPlace } from '../shell/index.ts';
import { useFavorites, useStanding } from '../store/index.ts';
import {
  Button,
  EmptyPlace,
  Icon,
  IconButton,
  iconNameOf,
  LinkButton,
  later,
  loadControls,
  Menu,
  MenuItem,
  RelativeTime,
  Skeleton,
  TabPanel,
  Tabs,
  TrackerMark,
} from '../ui/index.ts';
import { Activity } from './activity.tsx';
import {
  type AskedWork,
  followStored,
  useActivity,
  useLiveWork,
  useOwnDashboards,
  useVisited,
  useWork,
  type Work,
} from './calls.ts';
import { useFirstPage } from './first-page.ts';
import { FirstSteps } from './first-steps-later.tsx';
import { type Grouping, groupings } from './groups.ts';
import styles from './home.module.css';
import { VisitorsHome } from './visitors.tsx';
import { WorkList } from './work-list.tsx';

const tabIds = ['assigned', 'due', 'submitted', 'mentioned', 'watched', 'recent'] as const;
type TabId = (typeof tabIds)[number];
type WorkTab = Exclude<TabId, 'recent'>;

const dashboardRoom = later(
  async () => (await Promise.all([import('../dashboards/index.ts'), loadControls()]))[0],
);

/** A tab that is a dashboard is named by its number. */
const dashboardIn = (text: string | undefined) => {
  const [, id] = /^dashboard-(\d+)$/.exec(text ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
};

function DashboardTab({ id }: { readonly id: number }) {
  const { DashboardOnPage } = dashboardRoom.use();
  return <DashboardOnPage id={id} />;
}

function NewDashboard({ onClose }: { onClose(): void }) {
  const { NewOwnDashboard } = dashboardRoom.use();
  return <NewOwnDashboard onClose={onClose} />;
}

const tabOf = (text: string | undefined): TabId => tabIds.find((id) => id === text) ?? 'assigned';
const groupingOf = (text: string | undefined, tab: TabId): Grouping =>
  groupings.find((id) => id === text) ?? (tab === 'due' ? 'due' : 'tracker');

/** What has an end, of what is assigned: the list comes with the nearest end first. */
function dueWork(work: Work | undefined): Work | undefined {
  if (work === undefined) return undefined;
  const artifacts = work.artifacts.filter(({ due_date: due }) => due !== null);
  const closed = artifacts.filter(({ isClosed }) => isClosed === true).length;
  // All that is due is known where something follows that is not.
  const isWhole = work.isWhole || artifacts.length < work.artifacts.length;
  return { artifacts, size: artifacts.length - closed, isWhole };
}

function RecentList() {
  const { home } = useMessages();
  const asked = useVisited();
  const { data } = asked;
  if (data === undefined) return <WaitingPlace asked={asked} lines={8} className={styles['pad']} />;
  if (data.length === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace
          icon="history"
          name={home.nothing.recent}
          actions={<LinkButton href="/projects">{home.lookAtProjects}</LinkButton>}
        >
          {home.nothingWords.recent}
        </EmptyPlace>
      </div>
    );
  return (
    <ul>
      {data.map((entry) => (
        <li key={`${entry.type} ${entry.per_type_id}`}>
          <Link href={pageOf(window.location.origin, entry.html_url)} className={styles['visited'] ?? ''}>
            <span className={styles['visitedMark']}>
              {entry.color_name === '' ? (
                <Icon name={iconNameOf(entry.icon_name, 'file-text')} />
              ) : (
                <TrackerMark colour={entry.color_name} />
              )}
            </span>
            <span className={styles['reference']}>{entry.xref}</span>
            <span className={styles['visitedTitle']}>{entry.title}</span>
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

/** What each tab lists, each read once. */
function useTabs(shown: string): Readonly<Record<WorkTab, AskedWork>> {
  // What is due is told out of it.
  const assigned = useWork('assigned', true);
  return {
    assigned,
    due: { ...assigned, work: dueWork(assigned.work) },
    submitted: useWork('submitted', shown === 'submitted'),
    mentioned: useWork('mentioned', shown === 'mentioned'),
    watched: useWork('watched', shown === 'watched'),
  };
}

/** What is mine to do, over all projects. */
function MyWork() {
  const { home } = useMessages();
  const formats = useFormats();
  const { tab: tabText, group } = useSearch({ from: '/' });
  const { memberships } = useStanding();
  const navigate = useNavigate();
  const tab = tabOf(tabText);
  const { data: dashboards = [] } = useOwnDashboards();
  const [isMaking, setMaking] = useState(false);
  const dashboard = dashboards.find(({ id }) => id === dashboardIn(tabText))?.id;
  const shown = dashboard === undefined ? tab : `dashboard-${dashboard}`;
  useCommands([
    { id: 'new-dashboard', name: home.newDashboard, icon: 'layout-dashboard', run: () => setMaking(true) },
  ]);
  const grouping = groupingOf(group, tab);
  const tabs = useTabs(shown);
  useEffect(followStored, []);
  useLiveWork();
  const isNew = memberships.length === 0 && tabs.assigned.work?.artifacts.length === 0;
  const show = (id: TabId) =>
    void navigate({
      to: '/',
      search: { ...(id === 'assigned' ? {} : { tab: id }), ...(group ? { group } : {}) },
    });
  const countOf = (id: TabId) => {
    const work = id === 'recent' ? undefined : tabs[id].work;
    return work === undefined || (id === 'due' && !work.isWhole) ? undefined : formats.number(work.size);
  };
  return (
    <Page
      title={home.title}
      crumbs={[{ name: home.title }]}
      isAsking={tabs.assigned.isAsking && tabs.assigned.work !== undefined}
    >
      <Tabs
        label={home.title}
        selectedKey={shown}
        onSelectionChange={(key) =>
          dashboardIn(String(key)) === undefined
            ? show(tabOf(String(key)))
            : void navigate({ to: '/', search: { tab: String(key) } })
        }
        tabs={[
          ...tabIds.map((id) => ({ id, name: home.tabs[id], count: countOf(id) })),
          ...dashboards.map(({ id, title }) => ({ id: `dashboard-${id}`, name: title })),
        ]}
        className={styles['tabs'] ?? ''}
      >
        <div className={styles['grouping']}>
          {dashboard === undefined && tab !== 'recent' && (
            <GroupMenu
              grouping={grouping}
              choose={(next) =>
                void navigate({ to: '/', search: { ...(tabText ? { tab: tabText } : {}), group: next } })
              }
            />
          )}
          <IconButton
            icon="layout-dashboard"
            label={home.newDashboard}
            size="small"
            onPress={() => setMaking(true)}
          />
        </div>
        <TabPanel id={shown} className={styles['list'] ?? ''}>
          <Part name={shown}>
            {dashboard !== undefined ? (
              <Suspense fallback={<Skeleton lines={8} className={styles['pad'] ?? ''} />}>
                <DashboardTab key={dashboard} id={dashboard} />
              </Suspense>
            ) : isNew && tab === 'assigned' ? (
              <Welcome />
            ) : tab === 'recent' ? (
              <RecentList />
            ) : (
              <WorkList
                key={tab}
                asked={tabs[tab]}
                grouping={grouping}
                nothing={{
                  name: home.nothing[tab],
                  words: home.nothingWords[tab],
                  offersUnassigned: tab === 'assigned',
                }}
              />
            )}
          </Part>
        </TabPanel>
      </Tabs>
      <Suspense>{isMaking && <NewDashboard onClose={() => setMaking(false)} />}</Suspense>
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
  const { user, preferences } = useStanding();
  if (user === null) return <VisitorsHome />;
  return preferences['web.onboarding'] === 'over' ? <FirstPage /> : <FirstSteps />;
}

/** My work, or on the way to the page that somebody chose to begin with. */
const FirstPage = () => (useFirstPage() ? null : <MyWork />);
