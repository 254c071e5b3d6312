import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import {
  LeaveGuard,
  NameDialog,
  notify,
  Outline,
  Page,
  ProblemPage,
  tellFault,
  useCommands,
} from '../shell/index.ts';
import {
  setFavorite,
  useFavorites,
  useMembership,
  useProject,
  useProjectNamed,
  useStanding,
  useVisit,
  wordsOfError,
} from '../store/index.ts';
import {
  Button,
  Dialog,
  EmptyPlace,
  ErrorPlace,
  Icon,
  IconButton,
  LinkButton,
  Menu,
  MenuItem,
  MenuSection,
  Select,
  Skeleton,
} from '../ui/index.ts';
import { add, onto, type Rows, replaceTile, type Tile, tilesIn } from './arrange.ts';
import {
  changeDashboard,
  type Dashboard,
  followOwnChanges,
  type MinimalDashboard,
  makeDashboard,
  Overtaken,
  removeDashboard,
  saveDashboard,
  useDashboard,
  useDashboards,
} from './calls.ts';
import styles from './dashboards.module.css';
import { ArrangedRows, DashboardRows, Sketch } from './grid.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { kinds, needsNothing, newTile, rowsOf, usualWidths } from './tiles.ts';

/** The kinds of widgets there are, each with what it is for. */
function Gallery({ onChoose, onClose }: { onChoose(kind: (typeof kinds)[number]): void; onClose(): void }) {
  const { dashboards: words } = useMessages();
  return (
    <Dialog
      title={words.addTitle}
      isOpen
      onClose={onClose}
      width="medium"
      buttons={<Button onPress={onClose}>{words.cancel}</Button>}
    >
      <ul className={styles['gallery']}>
        {kinds.map((kind) => (
          <li key={kind}>
            <button type="button" className={styles['galleryEntry']} onClick={() => onChoose(kind)}>
              <Icon name={kindIcons[kind]} />
              <span>
                <b>{words.kinds[kind]}</b>
                <span>{words.kindWords[kind]}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const kindIcons = {
  count: 'number-123',
  report: 'list',
  chart: 'chart-bar',
  query: 'search',
  text: 'text-wrap',
  mine: 'user',
  activity: 'activity',
  burndown: 'chart-line',
  links: 'link',
  recent: 'history',
  favorites: 'star',
} as const;

/** Both arrangements, when somebody else saved first. */
function Conflict({
  mine,
  theirs,
  onMine,
  onTheirs,
  onClose,
}: {
  readonly mine: Rows;
  readonly theirs: Rows;
  onMine(): void;
  onTheirs(): void;
  /** Neither yet: one goes on with one's own. */
  onClose(): void;
}) {
  const { dashboards: words } = useMessages();
  return (
    <Dialog
      title={words.conflict}
      isOpen
      isDismissable={false}
      onClose={onClose}
      width="wide"
      role="alertdialog"
      buttons={
        <>
          <Button onPress={onTheirs}>{words.takeTheirs}</Button>
          <Button kind="primary" onPress={onMine}>
            {words.putMine}
          </Button>
        </>
      }
    >
      <p>{words.conflictWords}</p>
      <div className={styles['both']}>
        <div>
          <h3>{words.theirs}</h3>
          <Sketch rows={theirs} label={words.theirs} />
        </div>
        <div>
          <h3>{words.mine}</h3>
          <Sketch rows={mine} label={words.mine} />
        </div>
      </div>
    </Dialog>
  );
}

/** Arranging: a draft until it is saved as one. */
function Arranging({
  dashboard,
  begun,
  onEnd,
}: {
  readonly dashboard: Dashboard;
  /** A new widget to begin with. */
  readonly begun: boolean;
  onEnd(): void;
}) {
  const { dashboards: words } = useMessages();
  // What others save meanwhile is met when this is saved.
  const [base, setBase] = useState(dashboard);
  const [first] = useState(() => rowsOf(dashboard));
  const [rows, setRows] = useState(first);
  const [isAdding, setAdding] = useState(begun);
  const [edited, setEdited] = useState<Tile>();
  const [overtaken, setOvertaken] = useState<Dashboard>();
  const [isBusy, setBusy] = useState(false);
  const place = { id: dashboard.id, projectId: dashboard.project_id };
  const adder = useRef<HTMLButtonElement>(null);
  // What was pressed to come here is gone.
  useEffect(() => adder.current?.focus(), []);
  const save = async (from: Dashboard) => {
    setBusy(true);
    try {
      await saveDashboard(from, { title: from.title, rows: onto(rows, rowsOf(from)) });
      notify({ text: words.saved });
      onEnd();
    } catch (error) {
      if (error instanceof Overtaken) setOvertaken(error.current);
      else tellFault(error);
    } finally {
      setBusy(false);
    }
  };
  const done = (tile: Tile) => {
    const isNew = !tilesIn(rows).some(({ key }) => key === tile.key);
    // The name of what it shows is known once it is stored.
    const shown = { ...tile, label: '' };
    setRows(isNew ? add(rows, shown, usualWidths[tile.kind]) : replaceTile(rows, shown));
    setEdited(undefined);
  };
  const choose = (kind: (typeof kinds)[number]) => {
    setAdding(false);
    const tile = newTile(kind, dashboard.project_id);
    if (needsNothing(kind)) done(tile);
    else setEdited(tile);
  };
  useCommands([
    { id: 'add-widget', name: words.add, icon: 'plus', run: () => setAdding(true) },
    { id: 'save-dashboard', name: words.save, icon: 'check', run: () => void save(base) },
  ]);
  return (
    <>
      <LeaveGuard isNeeded={rows !== first}>{words.leave}</LeaveGuard>
      <div className={styles['arrangeBar']}>
        <Button ref={adder} icon="plus" onPress={() => setAdding(true)}>
          {words.add}
        </Button>
        <span className={styles['spring']} />
        <Button onPress={onEnd}>{words.cancel}</Button>
        <Button kind="primary" isBusy={isBusy} onPress={() => void save(base)}>
          {words.save}
        </Button>
      </div>
      {rows.length === 0 ? (
        <div className={styles['pad']}>
          <EmptyPlace icon="layout-dashboard" name={words.empty}>
            {words.emptyWords}
          </EmptyPlace>
        </div>
      ) : (
        <ArrangedRows rows={rows} dashboard={place} onRows={setRows} onSettings={setEdited} />
      )}
      {isAdding && <Gallery onChoose={choose} onClose={() => setAdding(false)} />}
      {edited !== undefined && (
        <SettingsDialog
          key={edited.key}
          tile={edited}
          projectId={dashboard.project_id}
          onDone={done}
          onClose={() => setEdited(undefined)}
        />
      )}
      {overtaken !== undefined && (
        <Conflict
          mine={rows}
          theirs={rowsOf(overtaken)}
          onTheirs={onEnd}
          onClose={() => setOvertaken(undefined)}
          onMine={() => {
            setOvertaken(undefined);
            setBase(overtaken);
            void save(overtaken);
          }}
        />
      )}
    </>
  );
}

/** A name, and what to begin with. */
function NewDashboardDialog({
  projectId,
  others,
  from,
  onClose,
}: {
  readonly projectId: number | null;
  readonly others: readonly MinimalDashboard[];
  /** The one that is copied. */
  readonly from?: MinimalDashboard | undefined;
  onClose(): void;
}) {
  const { dashboards: words } = useMessages();
  const navigate = useNavigate();
  const [title, setTitle] = useState(from === undefined ? '' : words.copyName(from.title));
  const [source, setSource] = useState(from === undefined ? null : String(from.id));
  const make = async () => {
    const { id } = await makeDashboard({
      title,
      ...(projectId === null ? {} : { project_id: projectId }),
      ...(source === null ? {} : { from_dashboard_id: Number(source) }),
    });
    onClose();
    await navigate({ to: '/dashboards/$id', params: { id: String(id) } });
  };
  return (
    <NameDialog
      heading={words.make}
      label={words.name}
      name={title}
      save={words.makeIt}
      onName={setTitle}
      onSave={make}
      onClose={onClose}
    >
      {others.length > 0 && (
        <Select
          label={words.beginWith}
          none={words.nothing}
          value={source}
          options={others.map(({ id, title: name }) => ({ id: String(id), name }))}
          onChange={setSource}
        />
      )}
    </NameDialog>
  );
}

function RenameDialog({ dashboard, onClose }: { readonly dashboard: Dashboard; onClose(): void }) {
  const { dashboards: words } = useMessages();
  const [title, setTitle] = useState(dashboard.title);
  /** The name that is replaced: another that somebody gave it meanwhile is told first. */
  const [replaced, setReplaced] = useState(dashboard.title);
  const save = async () => {
    await changeDashboard(dashboard, (now) => {
      if (now.title !== replaced && now.title !== title) {
        setReplaced(now.title);
        throw new Error(words.renamedMeanwhile(now.title));
      }
      return { title, rows: rowsOf(now) };
    });
    onClose();
  };
  return (
    <NameDialog
      heading={words.rename}
      label={words.name}
      name={title}
      onName={setTitle}
      onSave={save}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ dashboard, onClose }: { readonly dashboard: Dashboard; onClose(): void }) {
  const { dashboards: words } = useMessages();
  const navigate = useNavigate();
  const { thing: project } = useProject(
    dashboard.project_id === null ? undefined : `projects/${dashboard.project_id}`,
  );
  const remove = async () => {
    try {
      if (project === undefined) await navigate({ to: '/' });
      else await navigate({ to: '/projects/$name/dashboards', params: { name: project.shortname } });
      await removeDashboard(dashboard);
      notify({ text: words.deleted(dashboard.title) });
    } catch (error) {
      tellFault(error);
    }
  };
  return (
    <Dialog
      title={words.deleteTitle(dashboard.title)}
      isOpen
      onClose={onClose}
      role="alertdialog"
      width="narrow"
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="destroy" onPress={remove}>
            {words.delete}
          </Button>
        </>
      }
    >
      <p>{words.deleteWords}</p>
    </Dialog>
  );
}

function Star({ uri }: { readonly uri: string }) {
  const { dashboards: words } = useMessages();
  const { user } = useStanding();
  const favorites = useFavorites();
  if (user === null) return null;
  const isStarred = favorites.some((favorite) => favorite.uri === uri);
  return (
    <IconButton
      icon={isStarred ? 'star-filled' : 'star'}
      label={isStarred ? words.unstar : words.star}
      size="small"
      onPress={() => void setFavorite(uri, !isStarred).catch(tellFault)}
    />
  );
}

type Asked = 'new' | 'copy' | 'rename' | 'delete';

/** The other dashboards of the same place, and what can be done with this one. */
function DashboardMenu({
  dashboard,
  others,
  ask,
}: {
  readonly dashboard: Dashboard;
  readonly others: readonly MinimalDashboard[];
  ask(what: Asked): void;
}) {
  const { dashboards: words } = useMessages();
  const makeDefault = () =>
    void changeDashboard(dashboard, (now) => ({
      title: now.title,
      rows: rowsOf(now),
      isDefault: true,
    })).catch(tellFault);
  const mayChange = dashboard.may_change;
  return (
    <Menu
      placement="bottom end"
      aria-label={words.moreOfDashboard}
      trigger={<IconButton icon="dots" size="small" label={words.moreOfDashboard} />}
    >
      <MenuSection name={words.title}>
        {others.map(({ id, title }) => (
          <MenuItem key={id} href={`/dashboards/${id}`} isSet={id === dashboard.id}>
            {title}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection>
        {mayChange ? (
          <MenuItem icon="plus" onAction={() => ask('new')}>
            {words.make}
          </MenuItem>
        ) : null}
        <MenuItem icon="copy" onAction={() => ask('copy')}>
          {words.copy}
        </MenuItem>
        {mayChange ? (
          <MenuItem icon="edit" onAction={() => ask('rename')}>
            {words.rename}
          </MenuItem>
        ) : null}
        {mayChange ? (
          <MenuItem
            icon="flag"
            reasonNot={dashboard.is_default ? words.isDefault : null}
            onAction={makeDefault}
          >
            {words.makeDefault}
          </MenuItem>
        ) : null}
        {mayChange ? (
          <MenuItem icon="trash" isDanger onAction={() => ask('delete')}>
            {words.delete}
          </MenuItem>
        ) : null}
      </MenuSection>
    </Menu>
  );
}

/** A dashboard, read or arranged. */
function DashboardBody({
  dashboard,
  isArranging,
  begun,
  begin,
  end,
}: {
  readonly dashboard: Dashboard;
  readonly isArranging: boolean;
  readonly begun: boolean;
  begin(): void;
  end(): void;
}) {
  const { dashboards: words } = useMessages();
  useEffect(followOwnChanges, []);
  if (isArranging) return <Arranging dashboard={dashboard} begun={begun} onEnd={end} />;
  if (dashboard.rows.length === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace
          icon="layout-dashboard"
          name={words.empty}
          {...(dashboard.may_change
            ? {
                actions: (
                  <Button icon="plus" onPress={begin}>
                    {words.add}
                  </Button>
                ),
              }
            : {})}
        >
          {dashboard.may_change ? words.emptyWords : words.emptyReader}
        </EmptyPlace>
      </div>
    );
  return (
    <DashboardRows
      rows={rowsOf(dashboard)}
      dashboard={{ id: dashboard.id, projectId: dashboard.project_id }}
    />
  );
}

function DashboardView({ id }: { readonly id: number }) {
  const { dashboards: words, home } = useMessages();
  const { thing: dashboard, error, askAgain, isAsking } = useDashboard(id);
  const projectUri = dashboard?.project_id ? `projects/${dashboard.project_id}` : undefined;
  const { thing: project } = useProject(projectUri);
  const { data: others = [] } = useDashboards(projectUri);
  const { user } = useStanding();
  const [mode, setMode] = useState<'reading' | 'arranging' | 'adding'>('reading');
  const [asked, setAsked] = useState<Asked>();
  useVisit(dashboard?.uri);
  const arranger = useRef<HTMLButtonElement>(null);
  const wasArranging = useRef(false);
  useEffect(() => {
    if (mode === 'reading' && wasArranging.current) arranger.current?.focus();
    wasArranging.current = mode !== 'reading';
  }, [mode]);
  const last = useRef(dashboard);
  if (dashboard !== undefined) last.current = dashboard;
  useCommands(
    dashboard?.may_change === true && mode === 'reading'
      ? [{ id: 'arrange', name: words.arrange, icon: 'layout-dashboard', run: () => setMode('arranging') }]
      : [],
  );
  if (dashboard === undefined)
    return error === null ? <Outline /> : <ProblemPage error={error} askAgain={askAgain} />;
  const place = project
    ? { name: project.label_without_icon, to: `/projects/${project.shortname}` }
    : { name: home.title, to: '/' };
  const close = () => setAsked(undefined);
  const target = asked === 'copy' && !dashboard.may_change ? null : dashboard.project_id;
  return (
    <Page
      title={dashboard.title}
      crumbs={[place, { name: dashboard.title }]}
      {...(projectUri === undefined ? {} : { place: { project: projectUri } })}
      isAsking={isAsking}
      hasOwnPrimary={mode !== 'reading'}
      actions={
        <>
          <Star uri={dashboard.uri} />
          {dashboard.may_change && mode === 'reading' && (
            <Button
              ref={arranger}
              kind="quiet"
              size="small"
              icon="layout-dashboard"
              className={styles['arrange'] ?? ''}
              aria-label={words.arrange}
              onPress={() => setMode('arranging')}
            >
              <span>{words.arrange}</span>
            </Button>
          )}
          {user !== null && <DashboardMenu dashboard={dashboard} others={others} ask={setAsked} />}
        </>
      }
    >
      <DashboardBody
        dashboard={dashboard}
        isArranging={mode !== 'reading'}
        begun={mode === 'adding'}
        begin={() => setMode('adding')}
        end={() => setMode('reading')}
      />
      {(asked === 'new' || asked === 'copy') && (
        <NewDashboardDialog
          projectId={target}
          others={others}
          from={asked === 'copy' ? dashboard : undefined}
          onClose={close}
        />
      )}
      {asked === 'rename' && <RenameDialog dashboard={dashboard} onClose={close} />}
      {asked === 'delete' && <DeleteDialog dashboard={dashboard} onClose={close} />}
    </Page>
  );
}

/** `/dashboards/{id}` */
export function DashboardPage() {
  const { id } = useParams({ from: '/dashboards/$id' });
  return <DashboardView key={id} id={Number(id)} />;
}

function NoDashboard({
  projectId,
  mayMake,
  words: text,
}: {
  readonly projectId: number | null;
  readonly mayMake: boolean;
  readonly words: string;
}): ReactNode {
  const { dashboards: words } = useMessages();
  const [isMaking, setMaking] = useState(false);
  return (
    <div className={styles['pad']}>
      <EmptyPlace
        icon="layout-dashboard"
        name={words.none}
        {...(mayMake
          ? {
              actions: (
                <Button icon="plus" onPress={() => setMaking(true)}>
                  {words.make}
                </Button>
              ),
            }
          : {})}
      >
        {mayMake ? text : words.noneReader}
      </EmptyPlace>
      {isMaking && <NewDashboardDialog projectId={projectId} others={[]} onClose={() => setMaking(false)} />}
    </div>
  );
}

/** A dashboard on another page: read there, opened to be arranged. */
export function DashboardOnPage({ id }: { readonly id: number }) {
  const { dashboards: words } = useMessages();
  const { thing: dashboard, error, askAgain } = useDashboard(id);
  useEffect(followOwnChanges, []);
  if (dashboard === undefined)
    return (
      <div className={styles['pad']}>
        {error === null ? (
          <Skeleton lines={6} />
        ) : (
          <ErrorPlace words={wordsOfError(error)} onRetry={askAgain} />
        )}
      </div>
    );
  return (
    <section aria-label={dashboard.title} className={styles['onPage']}>
      <p className={styles['onPageHead']}>
        <span>{dashboard.title}</span>
        <LinkButton kind="quiet" size="small" icon="layout-dashboard" href={`/dashboards/${id}`}>
          {words.openFull}
        </LinkButton>
      </p>
      {dashboard.rows.length === 0 ? (
        <div className={styles['pad']}>
          <EmptyPlace icon="layout-dashboard" name={words.empty} />
        </div>
      ) : (
        <DashboardRows rows={rowsOf(dashboard)} dashboard={{ id, projectId: dashboard.project_id }} />
      )}
    </section>
  );
}

/** The dashboard that a project shows first, if it has one with something on it. */
export function DefaultDashboard({ project }: { readonly project: string }) {
  const { data } = useDashboards(project);
  const [first] = data ?? [];
  return first === undefined ? null : <DashboardOnPage id={first.id} />;
}

/** Makes a dashboard of one's own. */
export function NewOwnDashboard({ onClose }: { onClose(): void }) {
  const { data } = useDashboards(undefined);
  return <NewDashboardDialog projectId={null} others={data ?? []} onClose={onClose} />;
}

/** `/projects/{shortname}/dashboards`: the one that is shown first. */
export function ProjectDashboardsPage() {
  const { name } = useParams({ from: '/projects/$name/dashboards' });
  const { dashboards: words } = useMessages();
  const { thing: project, uri, error, askAgain } = useProjectNamed(name);
  const { data, error: listError, refetch } = useDashboards(uri);
  const { is_site_administrator: isSiteAdministrator } = useStanding();
  const isAdministrator = useMembership(uri)?.is_administrator === true || isSiteAdministrator;
  const fault = error ?? listError;
  const [first] = data ?? [];
  if (first !== undefined && uri !== undefined) return <DashboardView key={first.id} id={first.id} />;
  if (project === undefined || data === undefined || uri === undefined)
    return fault === null ? (
      <Outline />
    ) : (
      <ProblemPage
        error={fault}
        askAgain={() => {
          askAgain();
          void refetch();
        }}
      />
    );
  const label = project.label_without_icon;
  return (
    <Page
      title={`${words.title} · ${label}`}
      crumbs={[{ name: label, to: `/projects/${project.shortname}` }, { name: words.title }]}
      place={{ project: uri }}
    >
      <NoDashboard projectId={project.id} mayMake={isAdministrator} words={words.noneWords} />
    </Page>
  );
}
