import { useLocation } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';
import { Link, Button as PlainButton } from 'react-aria-components';
import { pageOf } from '../kernel/addresses.ts';
import { useMessages } from '../messages/index.ts';
import {
  isDark,
  setAppearance,
  setPreference,
  useFavorites,
  useMembership,
  usePreference,
  useProject,
  useStanding,
} from '../store/index.ts';
import {
  Count,
  classes,
  Icon,
  IconButton,
  type IconName,
  iconNameOf,
  Logo,
  Menu,
  MenuItem,
  MenuSection,
  TrackerMark,
  useMedia,
} from '../ui/index.ts';
import { useHasSvn, useOwnLinks, useProjectTrackers, useRepositories } from './calls.ts';
import { useCommands } from './commands.ts';
import { type PlaceNavigation, useIsHere, useLastProject, usePlace } from './place.ts';
import styles from './sidebar.module.css';

/** The project whose tools are shown: the one at hand, the one before, or the first of one's own. */
function useProjectAtHand(): string | undefined {
  const { project } = usePlace();
  const last = useLastProject();
  const { memberships } = useStanding();
  return project ?? last ?? memberships[0]?.project.uri;
}

const collapsed = 'sidebar-collapsed';

/** Folded as somebody likes it; in a narrow window until they ask for the names, which says nothing about wide ones. */
export function useSidebarFold(): readonly [isFolded: boolean, toggle: () => void] {
  const [state] = usePreference('sidebar_state');
  // Here a page needs the room of the names.
  const isNarrow = useMedia('(width < 900px)');
  const [local, setLocal] = useState<boolean>();
  const [isAsked, setAsked] = useState(false);
  const isFolded = isNarrow ? !isAsked : (local ?? state === collapsed);
  const toggle = () => {
    if (isNarrow) return setAsked(isFolded);
    setLocal(!isFolded);
    void setPreference('sidebar_state', isFolded ? 'sidebar-expanded' : collapsed);
  };
  return [isFolded, toggle];
}

interface EntryProps {
  readonly to: string;
  readonly name: string;
  readonly icon?: IconName | undefined;
  readonly mark?: ReactNode;
  readonly count?: number | undefined;
  /** Whether what is counted is unread. */
  readonly isUnread?: boolean | undefined;
  /** Whether addresses below it count as being there. */
  readonly hasPagesBelow?: boolean | undefined;
  readonly isOutside?: boolean | undefined;
}

function Entry({
  to,
  name,
  icon,
  mark,
  count,
  isUnread = false,
  hasPagesBelow = false,
  isOutside = false,
}: EntryProps) {
  const isHere = useIsHere(to, hasPagesBelow);
  return (
    <li>
      <Link
        href={to}
        className={classes(styles['entry'], isHere && styles['here'], isUnread && styles['unread'])}
        {...(isHere ? { 'aria-current': 'page' } : {})}
        {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
        aria-label={count === undefined ? name : `${name} ${count}`}
      >
        <span className={styles['mark']}>{icon === undefined ? mark : <Icon name={icon} />}</span>
        <span className={styles['name']}>{name}</span>
        {count !== undefined && <Count value={count} isUnread={isUnread} />}
      </Link>
    </li>
  );
}

function Switcher() {
  const { shell } = useMessages();
  const { memberships, may_create_projects: mayCreate } = useStanding();
  const uri = useProjectAtHand();
  const samePageOf = useSamePageOf();
  const own = useMembership(uri)?.project;
  const { thing } = useProject(own === undefined ? uri : undefined);
  const label = own?.label_without_icon ?? thing?.label_without_icon ?? shell.projects;
  return (
    <Menu
      trigger={
        <PlainButton className={styles['switcher'] ?? ''} aria-label={`${shell.switchProject}: ${label}`}>
          <Logo size={20} />
          <span className={styles['switcherName']}>{label}</span>
          <Icon name="selector" size={14} />
        </PlainButton>
      }
      search={memberships.length >= 8 ? shell.findProject : undefined}
    >
      <MenuSection>
        {memberships.map(({ project }) => (
          <MenuItem key={project.id} href={samePageOf(project.shortname)} isSet={project.uri === uri}>
            {project.label_without_icon}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection>
        <MenuItem href="/projects" icon="layout-grid">
          {shell.allProjects}
        </MenuItem>
        {mayCreate ? (
          <MenuItem href="/projects/new" icon="plus">
            {shell.newProject}
          </MenuItem>
        ) : null}
      </MenuSection>
    </Menu>
  );
}

/** What somebody put a star on. */
function Favourites() {
  const { shell } = useMessages();
  const favorites = useFavorites();
  if (favorites.length === 0) return null;
  return (
    <section aria-label={shell.favourites}>
      <h2 className={styles['groupName']}>{shell.favourites}</h2>
      <ul>
        {favorites.map(({ uri, label, xref, html_url: address, color, kind }) => (
          <Entry
            key={uri}
            to={pageOf(window.location.origin, address)}
            name={xref === null ? label : `${xref} ${label}`}
            {...(color === null
              ? { icon: kind === 'project' ? 'folder' : kind === 'dashboard' ? 'layout-dashboard' : 'table' }
              : { mark: <TrackerMark colour={color} /> })}
          />
        ))}
      </ul>
    </section>
  );
}

/** The same kind of page of another project, where it is one that every project has. */
function useSamePageOf(): (shortname: string) => string {
  const part = useLocation({
    select: ({ pathname }) =>
      /^\/projects\/[^/]+(\/members|\/trackers|\/dashboards)$/.exec(pathname)?.[1] ?? '',
  });
  return (shortname) => `/projects/${shortname}${part}`;
}

/** Where the settings of a project begin for somebody; undefined where they have none. */
function useFirstAdminPage(project: string | undefined): 'details' | 'members' | undefined {
  const { is_site_administrator: isSiteAdministrator } = useStanding();
  const membership = useMembership(project);
  if (project === undefined) return undefined;
  if (isSiteAdministrator || membership?.is_administrator === true) return 'details';
  return membership?.may_manage_members === true ? 'members' : undefined;
}

/** Repositories that are listed one by one. */
const mostRepositories = 6;

function ProjectTools() {
  const { shell } = useMessages();
  const uri = useProjectAtHand();
  const own = useMembership(uri)?.project;
  const { thing } = useProject(own === undefined ? uri : undefined);
  const project = own ?? thing;
  const trackers = useProjectTrackers(project === undefined ? undefined : uri);
  const { tracker: trackerAtHand } = usePlace();
  const links = useOwnLinks(project === undefined ? undefined : uri);
  const adminPage = useFirstAdminPage(uri);
  const hasSvn = useHasSvn(project === undefined ? undefined : uri);
  const repositories = useRepositories(hasSvn ? uri : undefined);
  if (project === undefined) return null;
  const address = `/projects/${project.shortname}`;
  return (
    <section aria-label={project.label_without_icon}>
      <h2 className={styles['groupName']}>{project.label_without_icon}</h2>
      <ul>
        <Entry to={address} name={shell.overview} icon="layout-grid" />
        <Entry to={`${address}/dashboards`} name={shell.palette.dashboards} icon="layout-dashboard" />
        {trackers.map(({ id, uri: trackerUri, label, color, openCount, isAdministered }) => (
          <Fragment key={id}>
            <Entry
              to={`/trackers/${id}`}
              name={label}
              mark={<TrackerMark colour={color} />}
              count={openCount}
              hasPagesBelow
            />
            {isAdministered && trackerUri === trackerAtHand && (
              <Entry to={`/trackers/${id}/admin/form`} name={shell.trackerSettings} icon="settings" />
            )}
          </Fragment>
        ))}
        {repositories.slice(0, mostRepositories).map(({ id, name }) => (
          <Entry key={id} to={`${address}/svn/${name}`} name={name} icon="folder-code" hasPagesBelow />
        ))}
        {hasSvn && (repositories.length === 0 || repositories.length > mostRepositories) && (
          <Entry to={`${address}/svn`} name={shell.repositories} icon="folder-code" />
        )}
        <Entry to={`${address}/members`} name={shell.members} icon="users" />
        {adminPage !== undefined && (
          <Entry to={`${address}/admin/${adminPage}`} name={shell.projectSettings} icon="settings" />
        )}
        {links.map(({ id, label, icon, service_url: to, open_in_new_tab: isOutside }) => (
          <Entry key={id} to={to} name={label} icon={iconNameOf(icon, 'link')} isOutside={isOutside} />
        ))}
      </ul>
    </section>
  );
}

interface Foldable {
  readonly isFolded: boolean;
  readonly toggle: () => void;
}

function Fold({ isFolded, toggle }: Foldable) {
  const { shell } = useMessages();
  const label = isFolded ? shell.expand : shell.collapse;
  useCommands([
    { id: 'fold-sidebar', name: label, icon: 'layout-sidebar-left-collapse', keys: '[', run: toggle },
  ]);
  return (
    <IconButton
      icon={isFolded ? 'layout-sidebar-left-expand' : 'layout-sidebar-left-collapse'}
      label={label}
      keys="["
      onPress={toggle}
      size="small"
      className={styles['fold'] ?? ''}
    />
  );
}

function Feet(fold: Foldable) {
  const { shell } = useMessages();
  const dark = isDark();
  const [, redraw] = useState(0);
  const switchTheme = () => {
    const theme = dark ? 'light' : 'dark';
    setAppearance({ theme });
    void setPreference('web.theme', theme);
    redraw((count) => count + 1);
  };
  useCommands([
    { id: 'switch-theme', name: shell.switchTheme, icon: dark ? 'sun' : 'moon', run: switchTheme },
  ]);
  return (
    <div className={styles['feet']}>
      <Link href="/help" className={styles['foot'] ?? ''} aria-label={shell.help}>
        <Icon name="help-circle" />
      </Link>
      <IconButton icon={dark ? 'sun' : 'moon'} label={shell.switchTheme} onPress={switchTheme} size="small" />
      <Fold {...fold} />
    </div>
  );
}

/** The pages of settings or of the account, in place of everything else. */
function PlaceList({ title, back, entries }: PlaceNavigation) {
  const { shell } = useMessages();
  return (
    <>
      <Link href={back} className={styles['placeTitle'] ?? ''} aria-label={`${shell.back}: ${title}`}>
        <Icon name="chevron-left" />
        <span>{title}</span>
      </Link>
      <ul className={styles['placeEntries']}>
        {entries.map((entry) => (
          <Entry
            key={entry.to}
            to={entry.to}
            name={entry.name}
            icon={iconNameOf(entry.icon, 'file')}
            count={entry.count}
          />
        ))}
      </ul>
    </>
  );
}

function PlaceFeet(fold: Foldable) {
  const { shell } = useMessages();
  return (
    <div className={styles['feet']}>
      <Link href="/" className={styles['brand'] ?? ''} aria-label="Atelier">
        <Logo size={18} />
        <span>Atelier</span>
      </Link>
      <Link href="/help" className={styles['foot'] ?? ''} aria-label={shell.help}>
        <Icon name="help-circle" />
      </Link>
      <Fold {...fold} />
    </div>
  );
}

/** Where one can go from here. */
export function Sidebar({ isFolded, toggle }: Foldable) {
  const { shell } = useMessages();
  const { user, unread_notifications: unread } = useStanding();
  const { navigation } = usePlace();
  return (
    <nav
      className={classes(styles['sidebar'], isFolded && styles['folded'])}
      aria-label={shell.navigation}
      id="sidebar"
    >
      {navigation === undefined ? (
        <>
          <Switcher />
          <div className={styles['scroll']}>
            <ul>
              {user !== null && <Entry to="/" name={shell.myWork} icon="home" />}
              {user !== null && (
                <Entry
                  to="/inbox"
                  name={shell.inbox}
                  icon="inbox"
                  count={unread === 0 ? undefined : unread}
                  isUnread
                />
              )}
              <Entry to={user === null ? '/' : '/projects'} name={shell.projects} icon="folder" />
              <Entry to="/query" name={shell.queries} icon="filter" />
            </ul>
            <Favourites />
            <ProjectTools />
          </div>
          <Feet isFolded={isFolded} toggle={toggle} />
        </>
      ) : (
        <>
          <PlaceList {...navigation} />
          <PlaceFeet isFolded={isFolded} toggle={toggle} />
        </>
      )}
    </nav>
  );
}
