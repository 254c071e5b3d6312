import type { Tracker } from '@atelier/client/routes';
import { type ReactNode, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { type Field, isOfPeople, shortName, statusField } from '../fields/index.ts';
import { deviceMoment } from '../kernel/device-clock.ts';
import { type Filter, usualOperator, writeFilters } from '../kernel/filters.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { onChangeEvent, useLive } from '../store/index.ts';
import { Nothing, type ViewProps } from '../tracker/index.ts';
import { Button, EmptyPlace, LinkButton, Menu, MenuItem, MenuSection } from '../ui/index.ts';
import { Bars, Donut, type LinkOf, Names, PageOfParts } from './by-value.tsx';
import { renew, type Search, useCounts, useTrends } from './calls.ts';
import styles from './charts.module.css';
import { Columns, Lines, Spark, StackedAreas } from './over-time.tsx';
import { ChartRegion } from './region.tsx';
import {
  colourAt,
  difference,
  firstOf,
  lastOf,
  type Part,
  partsOf,
  plainSeries,
  stateSeries,
  sumOf,
  tableOfParts,
  tableOfSeries,
} from './series.ts';
import {
  type ChartSettings,
  countedFields,
  daysOffered,
  effortField,
  numberFields,
  readSettings,
  type Span,
  shapes,
  spanOf,
  stepNames,
} from './settings.ts';

/** What of a page a chart needs to know. */
interface Charted {
  readonly tracker: Tracker;
  readonly search: Search;
  readonly view: Pick<ViewProps['view'], 'filters' | 'query' | 'words'>;
  readonly report: { readonly id: number } | undefined;
  /** Absent where nothing can be changed. */
  readonly onSettings?: ViewProps['onSettings'] | undefined;
}

interface ChartProps {
  readonly props: Charted;
  readonly span: Span;
}

/** What is looked for as numbers: how it came to be, and what it consists of. */
export function ChartsView(props: ViewProps) {
  const { tracker, search, settings: given, onFound, tools } = props;
  const settings = readSettings(tracker, given);
  const span = spanOf(settings, deviceMoment(Date.now()).slice(0, 10));
  const hasStatus = statusField(tracker) !== undefined;
  const counts = useCounts(tracker, search, ['is_open']);
  const size = counts.thing?.size;
  useEffect(() => onFound({ size, error: counts.error }), [onFound, size, counts.error]);
  useRenewal(tracker);
  if (size === 0) return <Nothing tracker={tracker} view={props.view} onChange={props.onChangeView} />;
  const effort = effortField(tracker);
  return (
    <div className={styles['page']}>
      {tools !== null && createPortal(<SpanMenus settings={settings} onSettings={props.onSettings} />, tools)}
      <div className={styles['row']}>
        {hasStatus ? <States props={props} span={span} /> : <WithoutStatus tracker={tracker} />}
        <OpenNow props={props} span={span} />
      </div>
      <div className={styles['row']}>
        <Flow props={props} span={span} />
        <ByFields props={props} settings={settings} />
      </div>
      {effort !== undefined && (
        <div className={styles['row']}>
          <Burnup props={props} span={span} field={effort} />
          <Burndown props={props} span={span} field={effort} />
        </div>
      )}
    </div>
  );
}

interface ReportChartProps {
  readonly tracker: Tracker;
  readonly reportId: number;
  /** Those of a renderer of the report. */
  readonly settings: ViewProps['settings'];
}

const everything = { filters: [], query: '', words: '' };

/** The chart of a report, wherever it stands. */
export function ReportChart({ tracker, reportId, settings: given }: ReportChartProps) {
  const settings = readSettings(tracker, given);
  const span = spanOf(settings, deviceMoment(Date.now()).slice(0, 10));
  useRenewal(tracker);
  const search = { report_id: reportId };
  const props = { tracker, search, view: everything, report: { id: reportId } };
  const effort = effortField(tracker);
  return (
    <PageOfParts value={`/trackers/${tracker.id}`}>
      {given['kind'] === 'flow' ? (
        <Flow props={props} span={span} />
      ) : given['kind'] === 'states' && statusField(tracker) !== undefined ? (
        <States props={props} span={span} />
      ) : given['kind'] === 'burnup' && effort !== undefined ? (
        <Burnup props={props} span={span} field={effort} />
      ) : (
        <ByFields props={props} settings={settings} />
      )}
    </PageOfParts>
  );
}

/** Numbers follow what anybody does. */
function useRenewal({ id }: Tracker): void {
  useLive(`trackers/${id}`, () => renew(id));
  useEffect(
    () =>
      onChangeEvent(({ kind }) => {
        if (kind === 'stored') renew(id);
      }),
    [id],
  );
}

function WithoutStatus({ tracker }: { readonly tracker: Tracker }) {
  const { charts: words } = useMessages();
  return (
    <section className={`${styles['region'] ?? ''} ${styles['wide'] ?? ''}`}>
      <EmptyPlace
        icon="chart-bar"
        name={words.noStatus}
        actions={
          tracker.is_administrator === true && (
            <LinkButton href={`/trackers/${tracker.id}/admin/semantics`}>{words.setStatus}</LinkButton>
          )
        }
      >
        {tracker.is_administrator === true ? words.noStatusAdministrator : words.noStatusOthers}
      </EmptyPlace>
    </section>
  );
}

function States({ props: { tracker, search }, span }: ChartProps) {
  const { charts: words } = useMessages();
  const formats = useFormats();
  const { thing, error, askAgain } = useTrends(tracker, search, 'states', span);
  const series = thing && stateSeries(thing, words.noValue);
  const totals = (thing?.steps ?? []).map((_, place) =>
    series?.some(({ values }) => values[place] !== null)
      ? series.reduce((all, { values }) => all + (values[place] ?? 0), 0)
      : null,
  );
  const shown = series?.filter(({ values }) => values.some((value) => (value ?? 0) > 0)) ?? [];
  return (
    <ChartRegion
      name={words.states}
      className={styles['wide']}
      summary={words.statesWords(
        formats.number(firstOf(totals)),
        formats.number(lastOf(totals)),
        formats.day(span.from),
      )}
      table={thing && tableOfSeries(words.steps[span.step], thing.steps, series ?? [])}
      error={error}
      askAgain={askAgain}
    >
      <StackedAreas name={words.states} steps={thing?.steps ?? []} series={shown} />
    </ChartRegion>
  );
}

function OpenNow({ props: { tracker, search }, span }: ChartProps) {
  const { charts: words } = useMessages();
  const formats = useFormats();
  const { thing, error, askAgain } = useTrends(tracker, search, 'total', span);
  const series = thing && plainSeries(thing, words.totals);
  const open = series?.find(({ key }) => key === 'open')?.values ?? [];
  const more = lastOf(open) - firstOf(open);
  return (
    <ChartRegion
      name={words.openNow}
      className={styles['tile']}
      table={thing && tableOfSeries(words.steps[span.step], thing.steps, series ?? [])}
      error={error}
      askAgain={askAgain}
    >
      <p className={styles['number']}>{formats.number(lastOf(open))}</p>
      <p className={styles['summary']}>
        {words.openChange(more, formats.number(Math.abs(more)), formats.day(span.from))}
      </p>
      <Spark values={open} />
    </ChartRegion>
  );
}

function Flow({ props: { tracker, search }, span }: ChartProps) {
  const { charts: words } = useMessages();
  const formats = useFormats();
  const { thing, error, askAgain } = useTrends(tracker, search, 'flow', span);
  const series = thing && plainSeries(thing, words.flows);
  const [created, closed] = series ?? [];
  const names = (series ?? []).map(
    ({ key, label, values }, place): Part => ({
      key,
      label,
      colour: colourAt(place),
      amount: sumOf(values),
      parts: [],
    }),
  );
  return (
    <ChartRegion
      name={words.flow}
      summary={words.flowWords(
        formats.number(sumOf(created?.values ?? [])),
        formats.number(sumOf(closed?.values ?? [])),
        formats.day(span.from),
      )}
      table={thing && tableOfSeries(words.steps[span.step], thing.steps, series ?? [])}
      error={error}
      askAgain={askAgain}
    >
      <Names parts={names} linkOf={() => undefined} />
      <Columns name={words.flow} steps={thing?.steps ?? []} series={series ?? []} />
    </ChartRegion>
  );
}

function Burnup({ props: { tracker, search }, span, field }: ChartProps & { readonly field: Field }) {
  const { charts: words } = useMessages();
  const formats = useFormats();
  const { thing, error, askAgain } = useTrends(tracker, search, 'effort', span, field.name);
  const series = thing && plainSeries(thing, words.efforts);
  const [all, closed] = series ?? [];
  return (
    <ChartRegion
      name={words.burnup(field.label)}
      summary={words.burnupWords(
        formats.number(lastOf(closed?.values ?? []), 2),
        formats.number(lastOf(all?.values ?? []), 2),
      )}
      table={thing && tableOfSeries(words.steps[span.step], thing.steps, series ?? [])}
      error={error}
      askAgain={askAgain}
    >
      <Lines name={words.burnup(field.label)} steps={thing?.steps ?? []} series={series ?? []} />
    </ChartRegion>
  );
}

/** The effort that artifacts which were not closed had: what was left to do. */
function Burndown({ props: { tracker, search }, span, field }: ChartProps & { readonly field: Field }) {
  const { charts: words } = useMessages();
  const formats = useFormats();
  const { thing, error, askAgain } = useTrends(tracker, search, 'effort', span, field.name);
  const efforts = thing && plainSeries(thing, words.efforts);
  const left = efforts && difference(efforts, { key: 'left', label: words.left, colour: colourAt(1) });
  const series = left === undefined ? [] : [left];
  return (
    <ChartRegion
      name={words.burndown(field.label)}
      summary={words.burndownWords(
        formats.number(lastOf(left?.values ?? []), 2),
        formats.number(firstOf(left?.values ?? []), 2),
      )}
      table={thing && tableOfSeries(words.steps[span.step], thing.steps, series)}
      error={error}
      askAgain={askAgain}
    >
      <Lines name={words.burndown(field.label)} steps={thing?.steps ?? []} series={series} />
    </ChartRegion>
  );
}

/** The id by which filters find artifacts without a value. */
const noValue = '100';

/** The filter that finds a part; typed values of open lists have none. */
function filterFor({ name }: Field, { key }: Part): Filter | undefined {
  if (typeof key === 'string') return undefined;
  return { name, operator: usualOperator, values: [key === null ? noValue : String(key)] };
}

function ByFields({ props, settings }: { readonly props: Charted; readonly settings: ChartSettings }) {
  const { tracker, search, view, onSettings } = props;
  const { charts: words } = useMessages();
  const formats = useFormats();
  const { by, sum, shape } = settings;
  const asked = shape === 'stacked' || shape === 'bar' ? by : by.slice(0, 1);
  const { thing, error, askAgain } = useCounts(
    tracker,
    search,
    asked.map(({ name }) => name),
    sum?.name,
  );
  if (by.length === 0) return null;
  const parts =
    thing &&
    partsOf(thing, {
      isSum: sum !== undefined,
      noValue: words.noValue,
      nameOf: (label) => (by.some(isOfPeople) ? shortName(label) : label),
    });
  const shown = (parts ?? []).filter(({ amount, key }) => amount > 0 || key !== null);
  const linkOf: LinkOf = (path) => {
    const filters = path.map((part, place) => by[place] && filterFor(by[place], part));
    if (filters.some((filter) => filter === undefined)) return undefined;
    const added = filters.filter((filter) => filter !== undefined);
    const kept = view.filters.filter(({ name }) => !added.some((filter) => filter.name === name));
    const { report } = props;
    return {
      view: 'table',
      report: report === undefined ? undefined : String(report.id),
      q: view.query === '' ? undefined : view.query,
      words: view.words === '' ? undefined : view.words,
      f: writeFilters([...kept, ...added]),
    };
  };
  const whole = sum === undefined ? (thing?.size ?? 0) : (thing?.sum ?? 0);
  const most = shown.toSorted((left, right) => right.amount - left.amount)[0];
  const inner = sumsOfInner(shown);
  return (
    <ChartRegion
      name={words.byFields(
        asked.map(({ label }) => label),
        sum?.label,
      )}
      summary={
        most === undefined
          ? ''
          : words.mostOf(most.label, formats.number(most.amount, 2), formats.number(whole, 2))
      }
      table={
        parts &&
        tableOfParts(
          by.map(({ label }) => label),
          sum?.label ?? words.artifacts,
          shown,
        )
      }
      error={error}
      askAgain={askAgain}
      isDrawn={shape === 'donut'}
      tools={onSettings && <ByMenu tracker={tracker} settings={settings} onSettings={onSettings} />}
    >
      {shape === 'number' ? (
        <p className={styles['number']}>{formats.number(whole, 2)}</p>
      ) : shape === 'donut' ? (
        <Donut
          name={words.byFields(
            asked.map(({ label }) => label),
            sum?.label,
          )}
          parts={shown}
          linkOf={linkOf}
        />
      ) : (
        <>
          {inner.length > 0 && <Names parts={inner} linkOf={() => undefined} />}
          <Bars parts={shown} linkOf={linkOf} />
        </>
      )}
    </ChartRegion>
  );
}

/** What each inner part is in all bars together. */
function sumsOfInner(parts: readonly Part[]): readonly Part[] {
  const sums = new Map<string, Part>();
  for (const part of parts.flatMap((outer) => outer.parts)) {
    const known = sums.get(String(part.key));
    sums.set(String(part.key), { ...part, amount: part.amount + (known?.amount ?? 0) });
  }
  return [...sums.values()].filter(({ amount }) => amount > 0);
}

function SettingButton({ name, value, ...rest }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <Button kind="quiet" size="small" {...rest}>
      <span className={styles['settingName']}>{name}</span> <span>{value}</span>
    </Button>
  );
}

interface MenuProps {
  readonly settings: ChartSettings;
  readonly onSettings: ViewProps['onSettings'];
}

function SpanMenus({ settings, onSettings }: MenuProps) {
  const { charts: words } = useMessages();
  const offered = [...new Set([...daysOffered, settings.days])].sort((left, right) => left - right);
  return (
    <>
      <Menu
        aria-label={words.since}
        placement="bottom end"
        onAction={(key) => onSettings({ from: `${key}d` })}
        trigger={<SettingButton name={words.since} value={words.lastDays(settings.days)} />}
      >
        {offered.map((days) => (
          <MenuItem key={days} id={String(days)} isSet={days === settings.days}>
            {words.lastDays(days)}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        aria-label={words.step}
        placement="bottom end"
        onAction={(key) => onSettings({ step: String(key) })}
        trigger={<SettingButton name={words.step} value={words.steps[settings.step]} />}
      >
        {stepNames.map((step) => (
          <MenuItem key={step} id={step} isSet={step === settings.step}>
            {words.steps[step]}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** By what artifacts are counted, and how that is drawn. */
function ByMenu({ tracker, settings, onSettings }: MenuProps & { readonly tracker: Tracker }) {
  const { charts: words } = useMessages();
  const { by, sum, shape } = settings;
  const [first, second] = by;
  const fields = countedFields(tracker);
  const choose = (key: string) => {
    const [what = '', name = ''] = key.split('=');
    if (what === 'shape') onSettings({ kind: name });
    if (what === 'sum') onSettings({ sum: name === '' ? null : name });
    if (what === 'by') onSettings({ by: [name, ...(second && second.name !== name ? [second.name] : [])] });
    if (what === 'and')
      onSettings({
        by: [first?.name ?? '', ...(name === '' ? [] : [name])],
        kind: name === '' ? 'bar' : 'stacked',
      });
  };
  return (
    <Menu
      aria-label={words.change}
      placement="bottom end"
      onAction={(key) => choose(String(key))}
      trigger={
        <Button kind="quiet" size="small" icon="adjustments-horizontal" opens>
          {words.change}
        </Button>
      }
    >
      <MenuSection name={words.drawnAs}>
        {shapes.map((one) => (
          <MenuItem key={one} id={`shape=${one}`} isSet={one === shape}>
            {words.shapes[one]}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection name={words.countBy}>
        {fields.map(({ name, label }) => (
          <MenuItem key={name} id={`by=${name}`} isSet={name === first?.name}>
            {label}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection name={words.dividedBy}>
        {[{ name: '', label: words.nothing }, ...fields.filter(({ name }) => name !== first?.name)].map(
          ({ name, label }) => (
            <MenuItem key={name} id={`and=${name}`} isSet={name === (second?.name ?? '')}>
              {label}
            </MenuItem>
          ),
        )}
      </MenuSection>
      <MenuSection name={words.sum}>
        {[{ name: '', label: words.artifacts }, ...numberFields(tracker)].map(({ name, label }) => (
          <MenuItem key={name} id={`sum=${name}`} isSet={name === (sum?.name ?? '')}>
            {label}
          </MenuItem>
        ))}
      </MenuSection>
    </Menu>
  );
}
