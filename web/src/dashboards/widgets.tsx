import type { DashboardWidget } from '@atelier/client/routes';
import { type ReactNode, Suspense } from 'react';
import { Link } from 'react-aria-components';
import { fieldTypeOf, firstName, stageNamed } from '../fields/index.ts';
import { pageOf, writeSearch } from '../kernel/addresses.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { QueryResult } from '../queries/index.ts';
import { Deed, personOf, WaitingPlace } from '../shell/index.ts';
import { useFavorites, useStanding, useTracker, wordsOfError } from '../store/index.ts';
import {
  ErrorPlace,
  Face,
  Icon,
  later,
  RelativeTime,
  RichText,
  Skeleton,
  StatusRing,
  TrackerMark,
} from '../ui/index.ts';
import {
  type Role,
  useActivity,
  useArtifactOnWall,
  useCount,
  useMine,
  useRecent,
  useRendered,
  useReportRows,
  useReportSettings,
} from './calls.ts';
import styles from './dashboards.module.css';
import { Spark, useSpark } from './spark.tsx';

const charts = later(() => import('../charts/index.ts'));

/** Where a widget stands. */
export interface Place {
  readonly id: number;
  readonly projectId: number | null;
}

export interface WidgetProps {
  readonly widget: DashboardWidget;
  readonly dashboard: Place;
}

type Settings = Readonly<Record<string, unknown>>;

/** Settings are checked by the server; what is not there shows as nothing. */
export const settingsOf = ({ settings }: Pick<DashboardWidget, 'settings'>): Settings =>
  typeof settings === 'object' && settings !== null && !Array.isArray(settings) ? { ...settings } : {};
export const numberIn = (settings: Settings, name: string): number | undefined => {
  const value = settings[name];
  return typeof value === 'number' ? value : undefined;
};
export const textIn = (settings: Settings, name: string): string => {
  const value = settings[name];
  return typeof value === 'string' ? value : '';
};

export interface LinkEntry {
  readonly label: string;
  readonly href: string;
}
export const linksOf = ({ settings }: Pick<DashboardWidget, 'settings'>): readonly LinkEntry[] =>
  Array.isArray(settings)
    ? settings.map((link: Settings) => ({ label: textIn(link, 'label'), href: textIn(link, 'href') }))
    : [];

interface Asked<Answer> {
  readonly data: Answer | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

/** What was asked for, as far as it is there; a fault stays inside its widget. */
function Answered<Answer>({
  asked,
  lines = 4,
  children,
}: {
  readonly asked: Asked<Answer>;
  readonly lines?: number;
  children(answer: Answer): ReactNode;
}) {
  return asked.data === undefined ? <WaitingPlace asked={asked} lines={lines} /> : children(asked.data);
}

const Faint = ({ children }: { readonly children: string }) => <p className={styles['faint']}>{children}</p>;

function CountWidget({ widget }: WidgetProps) {
  const { dashboards: words } = useMessages();
  const formats = useFormats();
  const settings = settingsOf(widget);
  const [trackerId, query] = [numberIn(settings, 'tracker_id') ?? 0, textIn(settings, 'expert_query')];
  const target = numberIn(settings, 'target');
  const asked = useCount(trackerId, query);
  const spark = useSpark(trackerId, query, asked.data);
  const address = `/trackers/${trackerId}?${writeSearch({ view: 'table', q: query })}`;
  return (
    <Answered asked={asked} lines={2}>
      {(size) => (
        <>
          <div className={styles['numberLine']}>
            <Link href={address} className={styles['number'] ?? ''}>
              {formats.number(size)}
            </Link>
            {spark && <Spark values={spark.values} />}
          </div>
          {/* Its place is kept, so that nothing moves when it comes. */}
          <p className={styles['faint']}>{spark?.sentence ?? '\u00a0'}</p>
          {target !== undefined && (
            <>
              <span className={styles['bar']} aria-hidden="true">
                <span style={{ width: `${Math.max(0, Math.min(100, (size / (target || 1)) * 100))}%` }} />
              </span>
              <p className={styles['faint']}>
                {words.target(formats.number(size), formats.number(target, 2))}
              </p>
            </>
          )}
        </>
      )}
    </Answered>
  );
}

function Status({ trackerUri, status }: { readonly trackerUri: string; readonly status: StatusValue }) {
  const { thing: tracker } = useTracker(trackerUri);
  if (status === null) return <span />;
  const stage = (tracker && stageNamed(tracker, status.value)) ?? 'empty';
  return (
    <span className={styles['status']}>
      <StatusRing colour={status.color} stage={stage} />
      <span className={styles['cut']}>{status.value}</span>
    </span>
  );
}
type StatusValue = { readonly value: string; readonly color: string | null } | null;

function ArtifactRow({
  id,
  title,
  xref,
  trackerUri,
  status,
  mark,
}: {
  readonly id: number;
  readonly title: string | null;
  readonly xref: string;
  readonly trackerUri: string;
  readonly status: StatusValue;
  readonly mark?: ReactNode;
}) {
  return (
    <li className={styles['row']}>
      {mark ?? <span className={styles['id']}>{id}</span>}
      <Link href={`/artifacts/${id}`} className={styles['rowTitle'] ?? ''}>
        {title === null || title === '' ? xref : title}
      </Link>
      <Status trackerUri={trackerUri} status={status} />
    </li>
  );
}

function More({
  shown,
  size,
  href,
}: {
  readonly shown: number;
  readonly size: number;
  readonly href: string;
}) {
  const { dashboards: words } = useMessages();
  const formats = useFormats();
  if (size <= shown) return null;
  return (
    <p className={styles['moreRows']}>
      <Link href={href}>{words.of(formats.number(shown), formats.number(size))}</Link>
    </p>
  );
}

/** The table, board or whatever else a report opens as. */
const reportAddress = (trackerId: number, reportId: number) => `/trackers/${trackerId}?report=${reportId}`;

function ReportWidget(props: WidgetProps) {
  const settings = settingsOf(props.widget);
  const reportId = numberIn(settings, 'report_id') ?? 0;
  const report = useReportSettings(reportId);
  return (
    <Answered asked={report}>
      {({ tracker, renderers }) => {
        const wanted = numberIn(settings, 'renderer_id');
        const renderer = renderers.find(({ id }) => id === wanted) ?? renderers[0];
        return renderer?.type === 'chart' ? (
          <ChartWidget {...props} />
        ) : (
          <ReportRows trackerId={tracker.id} reportId={reportId} />
        );
      }}
    </Answered>
  );
}

function ReportRows({ trackerId, reportId }: { readonly trackerId: number; readonly reportId: number }) {
  const { dashboards: words } = useMessages();
  const asked = useReportRows(trackerId, reportId);
  return (
    <Answered asked={asked}>
      {({ rows, size }) =>
        size === 0 ? (
          <Faint>{words.noRows}</Faint>
        ) : (
          <>
            <ul>
              {rows.map(({ id, title, xref, full_status: status }) => (
                <ArtifactRow
                  key={id}
                  id={id}
                  title={title}
                  xref={xref}
                  trackerUri={`trackers/${trackerId}`}
                  status={status}
                />
              ))}
            </ul>
            <More shown={rows.length} size={size} href={reportAddress(trackerId, reportId)} />
          </>
        )
      }
    </Answered>
  );
}

function ChartWidget({ widget }: WidgetProps) {
  const settings = settingsOf(widget);
  const reportId = numberIn(settings, 'report_id') ?? 0;
  const report = useReportSettings(reportId);
  return (
    <Answered asked={report} lines={6}>
      {({ tracker, renderers }) => {
        const drawn = renderers.filter(({ type }) => type === 'chart');
        const wanted = numberIn(settings, 'renderer_id');
        const renderer = drawn.find(({ id }) => id === wanted) ?? drawn[0];
        return <ChartOf trackerUri={tracker.uri} reportId={reportId} settings={renderer?.settings ?? {}} />;
      }}
    </Answered>
  );
}

interface ChartOfProps {
  readonly trackerUri: string;
  readonly reportId: number;
  readonly settings: Settings;
}

function ChartOf({ trackerUri, reportId, settings }: ChartOfProps) {
  const { thing: tracker, error, askAgain } = useTracker(trackerUri);
  const { ReportChart } = charts.use();
  if (tracker === undefined)
    return error === null ? (
      <Skeleton lines={6} />
    ) : (
      <ErrorPlace words={wordsOfError(error)} onRetry={askAgain} />
    );
  return <ReportChart tracker={tracker} reportId={reportId} settings={settings} />;
}

function BurndownWidget({ widget }: WidgetProps) {
  const { dashboards: words } = useMessages();
  const settings = settingsOf(widget);
  const [artifactId, fieldId] = [numberIn(settings, 'artifact_id') ?? 0, numberIn(settings, 'field_id')];
  const { data: artifact, error, refetch } = useArtifactOnWall(artifactId);
  const { thing: tracker } = useTracker(artifact?.tracker.uri);
  const field = tracker?.fields.find(({ field_id: id }) => id === fieldId);
  if (artifact === undefined && error !== null)
    return <ErrorPlace words={wordsOfError(error)} onRetry={() => void refetch()} />;
  if (artifact === null) return <Faint>{words.form.noField}</Faint>;
  if (artifact === undefined || tracker === undefined) return <Skeleton lines={6} />;
  if (field === undefined) return <Faint>{words.form.noField}</Faint>;
  const { Reader } = fieldTypeOf(field.type);
  const storedIn = (id: number) => artifact.values?.find((one) => one.field_id === id);
  const place = { projectId: tracker.project.id, tracker, artifact, seenValue: storedIn };
  return <Reader field={field} value={storedIn(field.field_id)} place={place} />;
}

const withPages = (html: string): string =>
  html.replaceAll(/href="([^"]*)"/g, (_, href: string) => `href="${pageOf(window.location.origin, href)}"`);

function ActivityWidget({ widget }: WidgetProps) {
  const { dashboards: words } = useMessages();
  const asked = useActivity(numberIn(settingsOf(widget), 'project_id') ?? 0);
  return (
    <Answered asked={asked}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Faint>{words.noActivity}</Faint>
        ) : (
          <ul className={styles['activity']}>
            {entries.slice(0, 10).map((entry) => (
              <li key={`${entry.updated_at} ${entry.html_message}`}>
                {entry.user !== null && <Face {...personOf(entry.user)} />}
                <span className={styles['activityWords']}>
                  {entry.user !== null && <b>{firstName(personOf(entry.user).name)} </b>}
                  <Deed {...entry} />
                </span>
                <RelativeTime at={entry.updated_at} className={styles['time'] ?? ''} />
              </li>
            ))}
          </ul>
        )
      }
    </Answered>
  );
}

const isRole = (text: string): text is Role =>
  ['assigned', 'submitted', 'mentioned', 'watched'].includes(text);
export const roleOf = (widget: Pick<DashboardWidget, 'settings'>): Role => {
  const role = textIn(settingsOf(widget), 'role');
  return isRole(role) ? role : 'assigned';
};

function MineWidget({ widget }: WidgetProps) {
  const { dashboards: words, home } = useMessages();
  const { user } = useStanding();
  const role = roleOf(widget);
  const asked = useMine(role);
  if (user === null) return <Faint>{words.forMembers}</Faint>;
  return (
    <Answered asked={asked}>
      {({ artifacts, size }) =>
        size === 0 ? (
          <Faint>{home.nothing[role]}</Faint>
        ) : (
          <>
            <ul>
              {artifacts.map((artifact) => (
                <ArtifactRow
                  key={artifact.id}
                  id={artifact.id}
                  title={artifact.title}
                  xref={artifact.xref}
                  trackerUri={artifact.tracker.uri}
                  status={artifact.full_status}
                />
              ))}
            </ul>
            <More shown={artifacts.length} size={size} href={`/?${writeSearch({ tab: role })}`} />
          </>
        )
      }
    </Answered>
  );
}

function PlaceRow({
  href,
  color,
  label,
  end,
}: {
  readonly href: string;
  readonly color: string | null;
  readonly label: string;
  readonly end?: ReactNode;
}) {
  return (
    <li className={styles['row']}>
      <span className={styles['mark']}>
        {color === null || color === '' ? (
          <Icon name="file-text" size={14} />
        ) : (
          <TrackerMark colour={color} />
        )}
      </span>
      <Link href={pageOf(window.location.origin, href)} className={styles['rowTitle'] ?? ''}>
        {label}
      </Link>
      {end}
    </li>
  );
}

function RecentWidget() {
  const { dashboards: words } = useMessages();
  const { user } = useStanding();
  const asked = useRecent();
  if (user === null) return <Faint>{words.forMembers}</Faint>;
  return (
    <Answered asked={asked}>
      {(entries) =>
        entries.length === 0 ? (
          <Faint>{words.noRecent}</Faint>
        ) : (
          <ul>
            {entries.map((entry) => (
              <PlaceRow
                key={`${entry.type} ${entry.per_type_id}`}
                href={entry.html_url}
                color={entry.color_name}
                label={[entry.xref, entry.title].filter((part) => part).join(' ')}
                end={<RelativeTime at={entry.visit_time} className={styles['time'] ?? ''} />}
              />
            ))}
          </ul>
        )
      }
    </Answered>
  );
}

function FavoritesWidget() {
  const { dashboards: words } = useMessages();
  const { user } = useStanding();
  const favorites = useFavorites();
  if (user === null) return <Faint>{words.forMembers}</Faint>;
  if (favorites.length === 0) return <Faint>{words.noFavourites}</Faint>;
  return (
    <ul>
      {favorites.map(({ uri, label, html_url: href, color }) => (
        <PlaceRow key={uri} href={href} color={color} label={label} />
      ))}
    </ul>
  );
}

function TextWidget({ widget, dashboard }: WidgetProps) {
  const { dashboards: words } = useMessages();
  const text = textIn(settingsOf(widget), 'commonmark');
  const asked = useRendered(dashboard.projectId, text);
  const { memberships } = useStanding();
  if (text === '') return <Faint>{words.noText}</Faint>;
  if (dashboard.projectId === null && memberships.length === 0)
    return <p className={styles['plainText']}>{text}</p>;
  return <Answered asked={asked}>{(html) => <RichText html={withPages(html)} />}</Answered>;
}

function LinksWidget({ widget }: WidgetProps) {
  const { dashboards: words } = useMessages();
  const links = linksOf(widget);
  if (links.length === 0) return <Faint>{words.noLinks}</Faint>;
  return (
    <ul>
      {links.map(({ label, href }) => (
        <li key={`${label} ${href}`} className={styles['row']}>
          <span className={styles['mark']}>
            <Icon name={href.startsWith('/') ? 'link' : 'external-link'} size={14} />
          </span>
          <Link
            href={href}
            className={styles['rowTitle'] ?? ''}
            {...(href.startsWith('/') ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function QueryWidget({ widget, dashboard }: WidgetProps) {
  const { dashboards: words } = useMessages();
  const settings = settingsOf(widget);
  const id = textIn(settings, 'query_id');
  const query = id === '' ? { text: textIn(settings, 'tql_query'), dashboardId: dashboard.id } : { id };
  return (
    <div className={styles['found']}>
      <QueryResult query={query} label={widget.label || words.kinds.query} />
    </div>
  );
}

const drawn: Readonly<Record<DashboardWidget['kind'], (props: WidgetProps) => ReactNode>> = {
  query: QueryWidget,
  report: ReportWidget,
  count: CountWidget,
  chart: ChartWidget,
  burndown: BurndownWidget,
  activity: ActivityWidget,
  mine: MineWidget,
  recent: RecentWidget,
  favorites: FavoritesWidget,
  text: TextWidget,
  links: LinksWidget,
};

/** What a widget shows. */
export function WidgetContent(props: WidgetProps) {
  const { dashboards: words } = useMessages();
  if (props.widget.is_hidden)
    return (
      <p className={styles['hidden']}>
        <Icon name="lock" size={14} />
        {words.hidden}
      </p>
    );
  const Drawn = drawn[props.widget.kind];
  return (
    <Suspense fallback={<Skeleton lines={4} />}>
      <Drawn {...props} />
    </Suspense>
  );
}
