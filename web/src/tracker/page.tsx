import { ApiError } from '@atelier/client';
import type { Report, ReportSettings, Tracker } from '@atelier/client/routes';
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import {
  type ComponentProps,
  lazy,
  memo,
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { panelWidth, panelWidthKey } from '../kernel/panel-width.ts';
import { loadAllWords, useMessages } from '../messages/index.ts';
import { type Crumb, notify, Page, ProblemPage, useCommands } from '../shell/index.ts';
import {
  againAfter,
  onChangeEvent,
  usePreference,
  useStanding,
  useTracker,
  wordsOfError,
} from '../store/index.ts';
import { ErrorPlace, LinkButton, later, loadControls, Skeleton, Unseen } from '../ui/index.ts';
import { unchanged, useChangeView, useOpen, useSetSearch } from './address.ts';
import { commentSoon, Panel } from './artifact-parts.tsx';
import {
  askGroupsAgain,
  askRowsAgain,
  type KnownRows,
  rowSource,
  useGroups,
  useReportSettings,
  useReports,
  useTotal,
} from './calls.ts';
import type { ExportDialogProps } from './csv/export-dialog.tsx';
import { useLasting } from './lasting.ts';
import { Nothing } from './later-nothing.tsx';
import { useLiveRows } from './live-rows.ts';
import styles from './page.module.css';
import type { PrintedTableProps } from './print.tsx';
import { type Position, Table, type TableActs } from './table.tsx';
import {
  groupWishes,
  isChanged,
  mayImport,
  savedView,
  type TableSearch,
  unreadableFilters,
  viewOf,
} from './view.ts';
import { ViewBar } from './view-bar.tsx';
import { ViewMenu } from './view-menu.tsx';
import { kindOf } from './views.ts';

/** Loaded when somebody looks at a tracker in another way than as a table. */
const OtherView = lazy(() => import('./other-view.tsx').then((module) => ({ default: module.OtherView })));

/** A tracker as a table, or as another room draws it. */
export function TrackerPage() {
  const { id } = useParams({ strict: false });
  const uri = `trackers/${id}`;
  const { thing: tracker, error, askAgain } = useTracker(uri);
  if (tracker !== undefined) return <OfTracker key={uri} tracker={tracker} />;
  if (error !== null) return <ProblemPage error={error} askAgain={askAgain} />;
  return (
    <Page title="" crumbs={[]} place={{ tracker: uri }}>
      <Coming />
    </Page>
  );
}

/** Seen after the rows. */
const watching = later(() => import('./watching/index.ts'));

function Watching(props: ComponentProps<typeof import('./watching/index.ts')['WatchingMenu']>) {
  const { WatchingMenu } = watching.usePatiently();
  return <WatchingMenu {...props} />;
}

const Coming = () => (
  <div className={styles['state']}>
    <Skeleton lines={8} />
  </div>
);

const noReports: readonly Report[] = [];

const isRefusal = (error: Error | null) =>
  error instanceof ApiError && [400, 403, 404].includes(error.status);

/** Which report is shown: the one of the address, else the default one of the tracker, as where the one of the address is gone. */
function useShownReport(tracker: Tracker, search: TableSearch) {
  const { thing: reports, error } = useReports(tracker.uri);
  const asked =
    search.report === undefined ? reports?.find((report) => report.is_default)?.id : Number(search.report);
  const settings = useReportSettings(asked === undefined ? undefined : `tracker_reports/${asked}`);
  const isKnown = reports !== undefined || error !== null;
  const isOfAnother = settings.thing !== undefined && settings.thing.tracker.id !== tracker.id;
  // Also where this device, or this page, still has it.
  const isGone = search.report !== undefined && (isOfAnother || isRefusal(settings.error));
  const set = useSetSearch();
  const { tracker: words } = useMessages();
  const leaveView = useLasting(() => {
    notify({ text: words.viewGone });
    set({ report: undefined }, true);
  });
  useEffect(() => {
    if (isGone) leaveView();
  }, [isGone, leaveView]);
  const isReady =
    isKnown && !isGone && (asked === undefined || settings.thing !== undefined || settings.error !== null);
  return { reports: reports ?? noReports, report: settings.thing, isReady };
}

function OfTracker({ tracker }: { readonly tracker: Tracker }) {
  const search: TableSearch = useSearch({ strict: false });
  const { reports, report, isReady } = useShownReport(tracker, search);
  const { tracker: words } = useMessages();
  const name = report?.label ?? words.allOf(tracker.label);
  // What opens and closes beside the rows draws nothing of the bar.
  const crumbs = useMemo(
    (): Crumb[] => [
      { name: tracker.project.label, to: `/projects/${tracker.project.id}` },
      { name: tracker.label, color: tracker.color_name, to: `/trackers/${tracker.id}` },
      { name, siblings: <ViewMenu reports={reports} shown={report?.id} trackerId={tracker.id} /> },
    ],
    [tracker, name, reports, report],
  );
  const actions = useMemo(() => <Actions tracker={tracker} report={report} />, [tracker, report]);
  const place = { project: `projects/${tracker.project.id}`, tracker: tracker.uri };
  const kind = kindOf(search, report);
  const [position, setPosition] = useState<Position>();
  const acts = useRef<TableActs>(null);
  return (
    <Page
      title={`${name} · ${tracker.label} · ${tracker.project.label}`}
      crumbs={crumbs}
      place={place}
      fillsHeight
      actions={actions}
      panel={<OpenedPanel search={search} position={kind === 'table' ? position : undefined} acts={acts} />}
    >
      {!isReady ? (
        <Coming />
      ) : kind === 'table' ? (
        <TableOfView
          key={report?.id}
          tracker={tracker}
          report={report}
          search={search}
          acts={acts}
          onPosition={setPosition}
        />
      ) : (
        <Suspense fallback={<Coming />}>
          <OtherView
            key={`${kind} ${report?.id}`}
            kind={kind}
            tracker={tracker}
            report={report}
            search={search}
          />
        </Suspense>
      )}
    </Page>
  );
}

function Actions({
  tracker,
  report,
}: {
  readonly tracker: Tracker;
  readonly report: ReportSettings | undefined;
}) {
  const { user } = useStanding();
  return (
    <>
      {user !== null && (
        <Suspense>
          <Watching trackerId={tracker.id} report={report} />
        </Suspense>
      )}
      {tracker.is_administrator && <SettingsLink tracker={tracker} />}
    </>
  );
}

/** For those who administer the tracker. */
function SettingsLink({ tracker }: { readonly tracker: Tracker }) {
  const { tracker: words } = useMessages();
  const navigate = useNavigate();
  const to = `/trackers/${tracker.id}/admin/form`;
  useCommands([
    {
      id: 'tracker.settings',
      name: words.trackerSettings,
      icon: 'settings',
      run: () => void navigate({ to }),
    },
  ]);
  return (
    <LinkButton kind="quiet" icon="settings" href={to} aria-label={words.trackerSettings}>
      <Unseen>{words.trackerSettings}</Unseen>
    </LinkButton>
  );
}

/** As much as the panel will take, so that rows need not move when it comes. */
function Room() {
  const [kept] = usePreference(panelWidthKey);
  return <div className={styles['room']} style={{ width: panelWidth(kept) }} />;
}

interface OpenedPanelProps {
  readonly search: TableSearch;
  readonly position: Position | undefined;
  readonly acts: RefObject<TableActs | null>;
}

/** The artifact that was opened, beside the rows: the address names it, so Back closes it. */
function OpenedPanel({ search, position, acts }: OpenedPanelProps) {
  const set = useSetSearch();
  const { tracker: words } = useMessages();
  const { user } = useStanding();
  const router = useRouter();
  const id = search.open === undefined ? undefined : Number(search.open);
  const close = useLasting(() => {
    set({ open: undefined });
    acts.current?.focus();
  });
  const comment = () => {
    const { open }: TableSearch = router.latestLocation.search;
    if (open !== undefined) void commentSoon(Number(open));
  };
  useCommands([
    ...(id === undefined
      ? []
      : [{ id: 'tracker.close-panel', name: words.closePanel, keys: 'escape', run: close }]),
    // Until the panel is there, which has one of its own; also right after the key that opens it.
    ...(user === null ? [] : [{ id: 'artifact.comment', name: '', keys: 'm', run: comment, isHidden: true }]),
  ]);
  // The rows answer a key first, and come first on the way back. What is opened is drawn after that, and lets the next keys through meanwhile.
  const shown = useDeferredValue<number | null | undefined>(id, null);
  const at = useDeferredValue(position);
  const panel = useMemo(() => {
    const room = <Room />;
    if (shown === null) return room;
    if (shown === undefined || !Number.isSafeInteger(shown)) return null;
    const openAt = (place: number) => () => acts.current?.openAt(place);
    return (
      <Suspense fallback={room}>
        <Panel
          id={shown}
          onClose={close}
          position={at && { place: at.place + 1, size: at.size }}
          onPrevious={at === undefined || at.place === 0 ? undefined : openAt(at.place - 1)}
          onNext={at === undefined || at.place + 1 >= at.size ? undefined : openAt(at.place + 1)}
        />
      </Suspense>
    );
  }, [shown, at, acts, close]);
  return id === undefined ? null : panel;
}

/** Loaded when somebody prints. */
const printing = later(async () => (await Promise.all([import('./print.tsx'), loadAllWords()]))[0]);

function Printed(props: PrintedTableProps) {
  const { PrintedTable } = printing.use();
  return <PrintedTable {...props} />;
}

/** By the menu of the browser: it prints what is there, and waits for no rows. */
function useOnPaper(
  isOn: boolean,
  acts: RefObject<TableActs | null>,
  print: (known: KnownRows | undefined) => void,
): void {
  useEffect(() => {
    const begin = () => isOn && flushSync(() => print(acts.current?.known()));
    const end = () => print(undefined);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, [isOn, acts, print]);
}

/** Loaded when somebody exports. */
const exporting = later(
  async () => (await Promise.all([import('./csv/export-dialog.tsx'), loadControls(), loadAllWords()]))[0],
);

function Exported(props: ExportDialogProps) {
  const { ExportDialog } = exporting.use();
  return <ExportDialog {...props} />;
}

/** A query that the server did not understand: the rows of the one before stay. */
interface RefusedQuery {
  readonly query: string;
  readonly words: string;
}

interface TableOfViewProps {
  readonly tracker: Tracker;
  readonly report: ReportSettings | undefined;
  readonly search: TableSearch;
  readonly acts: RefObject<TableActs | null>;
  readonly onPosition: (position: Position | undefined) => void;
}

/** Where the panel stands is no matter of the rows. */
const TableOfView = memo(function TableOfView(props: TableOfViewProps) {
  const { tracker, report, search, acts, onPosition } = props;
  const searchBox = useRef<HTMLInputElement>(null);
  const saved = useMemo(() => savedView(tracker, report), [tracker, report]);
  const { f, q, words, sort, group, empty, cols } = search;
  const view = useMemo(
    () => viewOf(saved, { f, q, words, sort, group, empty, cols }, tracker),
    [saved, tracker, f, q, words, sort, group, empty, cols],
  );
  const [refused, setRefused] = useState<RefusedQuery>();
  const [lastQuery, setLastQuery] = useState<string>();
  const isRefused = refused?.query === view.query && lastQuery !== undefined;
  const shown = useMemo(
    () => (isRefused ? { ...view, query: lastQuery } : view),
    [view, isRefused, lastQuery],
  );
  const source = useMemo(() => rowSource(tracker, shown), [tracker, shown]);
  useEffect(
    () =>
      onChangeEvent(({ kind, change }) => {
        const grouped = groupWishes(tracker).find(({ key }) => key === view.group)?.field.name;
        const isMoved = change.fields.some(({ name }) => name === grouped);
        // Its row stands under another heading now.
        if (kind === 'stored' && isMoved) askGroupsAgain(source);
      }),
    [source, tracker, view.group],
  );
  const { tracker: messages } = useMessages();
  const total = useTotal(tracker);
  const live = useLiveRows(tracker.uri, source, view.group !== undefined);
  const { groups, isComing, error: groupFault } = useGroups(tracker, shown, source);
  const wanted = useMemo(
    () => ({ tracker, view: shown, source, groups, waitsForGroups: isComing }),
    [tracker, shown, source, groups, isComing],
  );
  // Whoever sorts or groups sees at once that it was heard; the rows are drawn after that, and let the next press through meanwhile.
  const deferred = useDeferredValue(wanted);
  // Those of the query before are back with the words by which another one is refused.
  const drawn = isRefused ? wanted : deferred;
  useEffect(() => {
    if (groupFault === null) return;
    const isTooMany = groupFault instanceof ApiError && groupFault.status === 400;
    notify({ kind: 'bad', text: isTooMany ? messages.tooManyGroups : wordsOfError(groupFault) });
  }, [groupFault, messages]);
  const [list, setList] = useState<{ readonly size: number | undefined; readonly error: Error | null }>({
    size: undefined,
    error: null,
  });
  const isWrong = unreadableFilters(tracker, view.filters).length > 0;
  const isEmpty = isWrong || list.size === 0;
  const navigate = useNavigate();
  const [printed, setPrinted] = useState<'all' | KnownRows>();
  useOnPaper(printed === undefined, acts, setPrinted);
  const [exported, setExported] = useState<{ readonly ids?: readonly number[] }>();
  useCommands([
    {
      id: 'tracker.print',
      name: messages.print,
      keys: 'mod+p',
      icon: 'printer',
      run: () => setPrinted('all'),
    },
    {
      id: 'tracker.export',
      name: messages.exportCsv,
      icon: 'file-type-csv',
      run: () => setExported({}),
    },
    ...(mayImport(tracker)
      ? [
          {
            id: 'tracker.import',
            name: messages.importCsv,
            icon: 'upload' as const,
            run: () => void navigate({ to: '/trackers/$id/import', params: { id: String(tracker.id) } }),
          },
        ]
      : []),
  ]);
  const set = useSetSearch();
  const change = useLasting(useChangeView(saved));
  const discard = useLasting(() => set(unchanged));
  const showReport = useLasting((id: number | undefined) =>
    set({ ...unchanged, report: id === undefined ? undefined : String(id) }),
  );
  const exportAll = useLasting(() => setExported({}));
  const open = useOpen(search.open !== undefined);
  const queryFault = refused?.query === view.query ? refused.words : undefined;
  const take = (told: { readonly size: number | undefined; readonly error: Error | null }) => {
    setList(told);
    const { size, error } = told;
    const { query } = drawn.view;
    if (error instanceof ApiError && error.status === 400 && query !== '')
      setRefused({ query, words: wordsOfError(error) });
    else if (error === null && size !== undefined) setLastQuery(query);
  };
  return (
    <div className={styles['page']}>
      <ViewBar
        kind="table"
        tracker={tracker}
        view={view}
        report={report}
        isChanged={isChanged(search)}
        found={isWrong ? undefined : list.size}
        total={total}
        queryFault={queryFault}
        searchBox={searchBox}
        onChange={change}
        onDiscard={discard}
        onExport={exportAll}
        onReport={showReport}
      />
      {list.error !== null && queryFault === undefined && list.size === undefined ? (
        <div className={styles['state']}>
          <ErrorPlace
            words={wordsOfError(list.error)}
            requestId={list.error instanceof ApiError ? list.error.requestId : undefined}
            onRetry={againAfter(list.error, () => askRowsAgain(source))}
          />
        </div>
      ) : null}
      {isEmpty ? <Nothing tracker={tracker} view={view} onChange={change} /> : null}
      {exported !== undefined && (
        <Suspense fallback={null}>
          <Exported
            tracker={tracker}
            view={shown}
            ids={exported.ids}
            found={list.size}
            total={total}
            onClose={() => setExported(undefined)}
          />
        </Suspense>
      )}
      {printed !== undefined && (
        <Suspense fallback={null}>
          <Printed
            tracker={tracker}
            name={report?.label ?? messages.allOf(tracker.label)}
            view={shown}
            source={source}
            groups={groups}
            known={printed === 'all' ? undefined : printed}
            onDone={() => setPrinted(undefined)}
          />
        </Suspense>
      )}
      <div className={styles['table']} hidden={isEmpty} {...live.pointer}>
        {live.waiting !== undefined && (
          <button type="button" className={styles['waiting']} onClick={live.show}>
            {messages.waitingRows(live.waiting)}
          </button>
        )}
        <Table
          {...drawn}
          chosen={shown}
          opened={search.open === undefined ? undefined : Number(search.open)}
          onOpen={open}
          onChangeView={change}
          onList={take}
          acts={acts}
          onPosition={onPosition}
          onExport={(ids) => setExported({ ids })}
        />
      </div>
    </div>
  );
});
