import { dashboardBounds, widgetRoles } from '@atelier/contract/dashboard-bounds';
import { invalid, invalidMember } from '../kernel/errors.ts';
import { numberIn } from '../kernel/values.ts';
import { type Dashboard, type DashboardRow, type Widget, type WidgetKind, widgetsOf } from './model.ts';

/** A tile as somebody gives it; without an id a new one. */
export interface GivenWidget {
  readonly id?: number | undefined;
  readonly kind: WidgetKind;
  readonly title?: string | undefined;
  readonly settings?: unknown;
}

export interface GivenRow {
  readonly cells: readonly { readonly width: number; readonly widgets: readonly GivenWidget[] }[];
}

type Members = Readonly<Record<string, unknown>>;
/** Reads one member; undefined where it is left out. */
type Reading = (member: string, value: unknown) => unknown;

/** In XML numbers are text. An empty text is none. */
const numberOf = (value: unknown): number => (value === '' ? Number.NaN : numberIn(value));

const id: Reading = (member, value) => {
  const number = numberOf(value);
  if (!Number.isSafeInteger(number) || number < 1)
    throw invalidMember(member, 'It must be the id of something, a whole number from 1 on.');
  return number;
};

const text =
  (longest: number): Reading =>
  (member, value) => {
    // An empty text is null in XML.
    if (value === null) return '';
    if (typeof value !== 'string' || value.length > longest)
      throw invalidMember(member, `It must be a text of at most ${longest} characters.`);
    return value;
  };

const queryId: Reading = (member, value) => {
  if (typeof value !== 'string' || !/^[0-9a-f-]{36}$/i.test(value))
    throw invalidMember(member, 'It must be the id of a kept query.');
  return value.toLowerCase();
};

const target: Reading = (member, value) => {
  const number = numberOf(value);
  if (!Number.isFinite(number)) throw invalidMember(member, 'It must be a number.');
  return number;
};

const role: Reading = (member, value) => {
  if (!widgetRoles.some((name) => name === value))
    throw invalidMember(member, `Expected one of (${widgetRoles.join(',')}).`);
  return value;
};

const longText = text(dashboardBounds.text);

interface Form {
  readonly needed: Readonly<Record<string, Reading>>;
  readonly optional?: Readonly<Record<string, Reading>>;
}

const shownReport: Form = { needed: { report_id: id }, optional: { renderer_id: id } };

const forms: Readonly<Record<Exclude<WidgetKind, 'query' | 'links'>, Form>> = {
  report: shownReport,
  chart: shownReport,
  count: { needed: { tracker_id: id }, optional: { expert_query: longText, target } },
  burndown: { needed: { artifact_id: id, field_id: id } },
  activity: { needed: { project_id: id } },
  mine: { needed: { role } },
  recent: { needed: {} },
  favorites: { needed: {} },
  text: { needed: { commonmark: longText } },
};

function membersOf(place: string, value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidMember(place, 'It must be an object.');
  return value as Members;
}

function readForm(place: string, value: unknown, { needed, optional = {} }: Form): Members {
  const members = membersOf(place, value);
  const known = { ...needed, ...optional };
  const extra = Object.keys(members).find((name) => !Object.hasOwn(known, name));
  if (extra !== undefined) throw invalidMember(place, `It has a member that there is not: ${extra}.`);
  const missing = Object.keys(needed).find((name) => members[name] === undefined);
  if (missing !== undefined) throw invalidMember(`${place}.${missing}`, 'It is missing.');
  const isGiven = (name: string) =>
    members[name] !== undefined && (members[name] !== null || Object.hasOwn(needed, name));
  return Object.fromEntries(
    Object.entries(known)
      .filter(([name]) => isGiven(name))
      .map(([name, read]) => [name, read(`${place}.${name}`, members[name])]),
  );
}

/** By a kept query, or by its text. */
function readQuery(place: string, value: unknown): Members {
  const members = membersOf(place, value);
  if (members['query_id'] !== undefined && members['tql_query'] !== undefined)
    throw invalidMember(place, 'It has both query_id and tql_query: give one of them.');
  const needed: Form['needed'] =
    members['query_id'] === undefined ? { tql_query: longText } : { query_id: queryId };
  return readForm(place, value, { needed });
}

/** Links lead into the platform or to what people open; nothing that runs. */
const href: Reading = (member, value) => {
  const isLink = typeof value === 'string' && /^(?:https?:\/\/|mailto:|\/(?!\/))\S*$/i.test(value);
  if (!isLink || value.length > 2000)
    throw invalidMember(
      member,
      'It must begin with https://, http://, mailto: or /, with at most 2000 characters.',
    );
  return value;
};

const label: Reading = (member, value) => {
  if (typeof value !== 'string' || value.trim() === '' || value.length > dashboardBounds.title)
    throw invalidMember(member, `It must be a text of 1 to ${dashboardBounds.title} characters.`);
  return value;
};

function readLinks(place: string, value: unknown): readonly Members[] {
  if (!Array.isArray(value) || value.length > dashboardBounds.links)
    throw invalidMember(place, `It must be a list of at most ${dashboardBounds.links} links.`);
  return value.map((link, at) => readForm(`${place}[${at}]`, link, { needed: { label, href } }));
}

function readSettings(place: string, kind: WidgetKind, value: unknown): unknown {
  if (kind === 'query') return readQuery(place, value ?? {});
  if (kind === 'links') return readLinks(place, value ?? []);
  return readForm(place, value ?? {}, forms[kind]);
}

function readTitle(place: string, title: string): string {
  if ([...title].length > dashboardBounds.title || /[\r\n]/.test(title))
    throw invalidMember(place, `It must be one line of at most ${dashboardBounds.title} characters.`);
  return title.trim();
}

interface Reader {
  readonly dashboard: Dashboard;
  /** Widgets that are hidden from whoever writes: they stay what they are. */
  readonly hidden: ReadonlySet<number>;
  readonly widgets: ReadonlyMap<number, Widget>;
  readonly seen: Set<number>;
  nextId: number;
}

function readWidget(reader: Reader, place: string, given: GivenWidget): Widget {
  const { id: givenId, kind } = given;
  const before = givenId === undefined ? undefined : reader.widgets.get(givenId);
  if (givenId !== undefined && before === undefined)
    throw invalidMember(`${place}.id`, 'The dashboard has no such widget.');
  if (before !== undefined && reader.seen.has(before.id))
    throw invalidMember(`${place}.id`, 'The widget is there more than once.');
  const widgetId = before?.id ?? reader.nextId++;
  reader.seen.add(widgetId);
  if (before !== undefined && reader.hidden.has(before.id)) return before;
  return {
    id: widgetId,
    kind,
    title: readTitle(`${place}.title`, given.title ?? ''),
    settings: readSettings(`${place}.settings`, kind, given.settings),
  };
}

/** What a dashboard is to show, checked but for whether the things are there that it names. */
export function rowsFrom(
  given: readonly GivenRow[],
  dashboard: Dashboard,
  hidden: ReadonlySet<number>,
): { readonly rows: readonly DashboardRow[]; readonly nextWidgetId: number } {
  const widgets = new Map(widgetsOf(dashboard.rows).map((widget) => [widget.id, widget]));
  const reader: Reader = { dashboard, hidden, widgets, seen: new Set(), nextId: dashboard.nextWidgetId };
  const rows = given.map(({ cells }, row) => {
    const width = cells.reduce((sum, cell) => sum + cell.width, 0);
    if (width > dashboardBounds.columns)
      throw invalidMember(
        `rows[${row}].cells`,
        `They are ${width} columns wide; a row has ${dashboardBounds.columns}.`,
      );
    return {
      cells: cells.map((cell, at) => ({
        width: cell.width,
        widgets: cell.widgets.map((widget, place) =>
          readWidget(reader, `rows[${row}].cells[${at}].widgets[${place}]`, widget),
        ),
      })),
    };
  });
  const count = widgetsOf(rows).length;
  if (count > dashboardBounds.widgets)
    throw invalidMember(
      'rows',
      `They have ${count} widgets; a dashboard has at most ${dashboardBounds.widgets}.`,
    );
  if (JSON.stringify(rows).length > dashboardBounds.content)
    throw invalid(`The dashboard says more than ${dashboardBounds.content} characters.`);
  return { rows, nextWidgetId: reader.nextId };
}
