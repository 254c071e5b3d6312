import type { ReportSettings, Tracker } from '@atelier/client/routes';
import { Link } from '@tanstack/react-router';
import { lazy, memo, type RefObject, Suspense, useState } from 'react';
import type { SortKey } from '../kernel/filters.ts';
import { loadAllWords, useFormats, useMessages } from '../messages/index.ts';
import { useCommands } from '../shell/index.ts';
import { Button, Icon, IconButton, later, Menu, MenuItem, MenuSection, SearchField } from '../ui/index.ts';
import { useSetSearch } from './address.ts';
import styles from './bar.module.css';
import { Filters } from './filter-bar.tsx';
import { useQueryKey } from './keys.ts';
import type { SaveMenuProps } from './saving/index.ts';
import { Setting } from './setting.tsx';
import { useFrozenColumns } from './sizes.ts';
import {
  columnFields,
  type GroupWish,
  groupWishes,
  mayImport,
  mostColumns,
  type TableSearch,
  titleField,
  type View,
} from './view.ts';
import { iconOf, keyOf, offeredKinds, type ViewKind, type ViewSettings } from './views.ts';

/** Loaded when somebody writes the first query. */
const QueryBox = lazy(async () => {
  const [{ QueryBox: Box }] = await Promise.all([import('./query-box.tsx'), loadAllWords()]);
  return { default: Box };
});

export interface ViewBarProps {
  readonly kind: ViewKind;
  /** Of a view that is no table. */
  readonly settings?: ViewSettings | undefined;
  /** Told where menus of a view that is no table are drawn. */
  readonly tools?: ((place: HTMLElement | null) => void) | undefined;
  readonly tracker: Tracker;
  readonly view: View;
  readonly report: ReportSettings | undefined;
  readonly isChanged: boolean;
  readonly found: number | undefined;
  readonly total: number | undefined;
  readonly queryFault: string | undefined;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  readonly onChange: (view: Partial<View>) => void;
  readonly onDiscard: () => void;
  readonly onReport: (id: number | undefined) => void;
  /** Of a table. */
  readonly onExport?: (() => void) | undefined;
}

/** What is looked for and how it is shown: kinds of views, then filters, order, groups and columns. What is opened beside the rows is no matter of it. */
export const ViewBar = memo(function ViewBar(props: ViewBarProps) {
  const { kind, tracker, view, searchBox, onChange } = props;
  const { tracker: words } = useMessages();
  const [isQuerying, setQuerying] = useState(view.query !== '');
  // A query that comes with the view or the address is there to be read: the keys go on moving in the rows.
  const [isWriting, setWriting] = useState(false);
  const write = (isOn: boolean) => {
    setQuerying(isOn);
    setWriting(isOn);
  };
  useQueryKey(() => write(true));
  return (
    <>
      <div className={styles['views']}>
        <Kinds shown={kind} />
        <WordsBox
          box={searchBox}
          tracker={tracker}
          words={view.words}
          onChange={(text) => onChange({ words: text })}
        />
      </div>
      <div className={styles['filters']}>
        <span className={styles['chips']}>
          <Filters
            tracker={tracker}
            filters={view.filters}
            onChange={(filters) => onChange({ filters })}
            onSearch={() => searchBox.current?.focus()}
          />
          <Button
            kind="quiet"
            size="small"
            icon="code"
            aria-expanded={isQuerying}
            onPress={() => write(!isQuerying)}
          >
            {words.query}
          </Button>
        </span>
        <Counted found={props.found} total={props.total} />
        {kind === 'table' ? (
          <span className={styles['acts']}>
            <SortMenu tracker={tracker} view={view} onChange={onChange} />
            <GroupMenu tracker={tracker} view={view} onChange={onChange} />
            <Saving {...props} />
            {props.onExport !== undefined && <CsvMenu tracker={tracker} onExport={props.onExport} />}
            <ColumnsMenu tracker={tracker} view={view} onChange={onChange} />
          </span>
        ) : (
          <>
            <span ref={props.tools} className={styles['tools']} />
            <Saving {...props} />
          </>
        )}
      </div>
      {isQuerying && (
        <Suspense fallback={<div className={styles['query']} />}>
          <QueryBox
            tracker={tracker}
            view={view}
            fault={props.queryFault}
            autoFocus={isWriting}
            onChange={onChange}
            onClose={() => {
              write(false);
              onChange({ query: '' });
            }}
          />
        </Suspense>
      )}
    </>
  );
});

/** The ways to look at it; those that nobody draws are not offered. */
function Kinds({ shown }: { readonly shown: ViewKind }) {
  const { tracker: words } = useMessages();
  const set = useSetSearch();
  const kinds = offeredKinds();
  const searchFor = (view: ViewKind): TableSearch => ({ view, set: undefined });
  useCommands(
    kinds.map((kind) => ({
      id: `tracker.view-${kind}`,
      name: words.kinds[kind],
      keys: `v ${keyOf[kind]}`,
      icon: iconOf[kind],
      run: () => set(searchFor(kind)),
    })),
  );
  return (
    <nav aria-label={words.views} className={styles['kinds']}>
      {kinds.map((kind) => (
        <Link
          key={kind}
          to="."
          search={(before: TableSearch) => ({ ...before, ...searchFor(kind) })}
          className={styles['kind'] ?? ''}
          aria-current={kind === shown ? 'page' : undefined}
        >
          <Icon name={iconOf[kind]} />
          <span>{words.kinds[kind]}</span>
        </Link>
      ))}
    </nav>
  );
}

/** Nobody saves a view before it is seen. */
const saving = later(async () => (await Promise.all([import('./saving/index.ts'), loadAllWords()]))[0]);

function ArrivedSaving(props: SaveMenuProps) {
  const { SaveMenu } = saving.usePatiently();
  return <SaveMenu {...props} />;
}

/** Until the menu is there a button of the same look stands in its place: whoever presses it has the menu as soon as it can be. */
function Saving(props: Omit<SaveMenuProps, 'opensAtOnce'>) {
  const { tracker: words } = useMessages();
  const [isAsked, setAsked] = useState(false);
  const ask = () => {
    setAsked(true);
    void saving.load();
  };
  // The menu may come between pressing and letting go, and whatever is pressed by then goes. Fingers that begin to scroll ask for nothing.
  const waiting = (
    <Button
      size="small"
      opens
      onPressStart={({ pointerType }) => pointerType !== 'touch' && ask()}
      onPress={ask}
    >
      {words.saveView}
    </Button>
  );
  return (
    <Suspense fallback={waiting}>
      <ArrivedSaving {...props} opensAtOnce={isAsked} />
    </Suspense>
  );
}

function WordsBox({
  box,
  tracker,
  words,
  onChange,
}: {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly tracker: Tracker;
  readonly words: string;
  readonly onChange: (words: string) => void;
}) {
  const { tracker: said } = useMessages();
  const [typed, setTyped] = useState(words);
  return (
    <SearchField
      inputRef={box}
      placeholder={said.words(tracker.label)}
      value={typed}
      onChange={setTyped}
      onSubmit={onChange}
      onClear={() => onChange('')}
      className={styles['words'] ?? ''}
    />
  );
}

/** Exact, always. */
function Counted({
  found,
  total,
}: {
  readonly found: number | undefined;
  readonly total: number | undefined;
}) {
  const { tracker: words } = useMessages();
  const formats = useFormats();
  if (found === undefined) return <span className={styles['count']} />;
  if (total === undefined || found === total)
    return (
      <span className={styles['count']}>
        <strong>{formats.number(found)}</strong> {words.nArtifacts(found)}
      </span>
    );
  const [some, all] = words.nOfM(formats.number(found), formats.number(total));
  return (
    <span className={styles['count']}>
      <strong>{some}</strong> {all}
    </span>
  );
}

interface PartProps {
  readonly tracker: Tracker;
  readonly view: View;
  readonly onChange: (view: Partial<View>) => void;
}

const searchedFrom = 8;

function useSortNames(tracker: Tracker): readonly { readonly name: string; readonly label: string }[] {
  const { tracker: words } = useMessages();
  const title = titleField(tracker);
  const fields = columnFields(tracker).map(({ name, label }) => ({ name, label }));
  return [
    { name: 'id', label: words.id },
    ...(title === undefined ? [] : [{ name: title.name, label: title.label }]),
    ...fields,
    { name: '@last_update_date', label: words.special['@last_update_date'] },
    { name: '@rank', label: words.special['@rank'] },
  ];
}

function SortMenu({ tracker, view, onChange }: PartProps) {
  const { tracker: words } = useMessages();
  const names = useSortNames(tracker);
  const labelOf = ({ name }: SortKey) => names.find((one) => one.name === name)?.label ?? name;
  const turn = (name: string) => {
    const present = view.sort.find((key) => key.name === name);
    const others = view.sort.filter((key) => key !== present);
    if (present === undefined) onChange({ sort: [...others, { name, isDescending: false }].slice(-5) });
    else if (present.isDescending) onChange({ sort: others });
    else onChange({ sort: view.sort.map((key) => (key === present ? { name, isDescending: true } : key)) });
  };
  return (
    <Menu
      aria-label={words.sort}
      placement="bottom end"
      search={names.length >= searchedFrom ? words.searchFields : undefined}
      onAction={(key) => turn(String(key))}
      trigger={<Setting name={words.sort} value={view.sort.map(labelOf).join(', ') || words.sortNone} />}
    >
      {names.map(({ name, label }) => {
        const key = view.sort.find((one) => one.name === name);
        const second = key === undefined ? undefined : key.isDescending ? words.sortedDown : words.sortedUp;
        return (
          <MenuItem key={name} id={name} second={second} isSet={key !== undefined}>
            {label}
          </MenuItem>
        );
      })}
    </Menu>
  );
}

function GroupMenu({ tracker, view, onChange }: PartProps) {
  const { tracker: words } = useMessages();
  const wishes = groupWishes(tracker);
  const set = wishes.find(({ key }) => key === view.group);
  const nameOf = ({ field, step, isParent }: GroupWish) => {
    if (isParent) return words.special['@parent'];
    return step === undefined ? field.label : words.groupStep(field.label, words.steps[step]);
  };
  const choose = (key: string) => {
    if (key === 'empty') onChange({ showsEmptyGroups: !view.showsEmptyGroups });
    else onChange({ group: key === 'none' ? undefined : key.slice(1) });
  };
  return (
    <Menu
      aria-label={words.group}
      placement="bottom end"
      search={wishes.length >= searchedFrom ? words.searchFields : undefined}
      onAction={(key) => choose(String(key))}
      trigger={<Setting name={words.group} value={set === undefined ? words.groupNone : nameOf(set)} />}
    >
      <MenuItem id="none" isSet={set === undefined}>
        {words.groupNone}
      </MenuItem>
      {set !== undefined && (
        <MenuItem id="empty" isSet={view.showsEmptyGroups}>
          {words.showEmptyGroups}
        </MenuItem>
      )}
      {wishes.map((wish) => (
        <MenuItem key={wish.key} id={`=${wish.key}`} isSet={wish.key === view.group}>
          {nameOf(wish)}
        </MenuItem>
      ))}
    </Menu>
  );
}

const specialColumns = [
  '@last_update_date',
  '@last_update_by',
  '@submitted_on',
  '@submitted_by',
  '@parent',
] as const;

/** The table as a file, out and in. */
function CsvMenu({ tracker, onExport }: { readonly tracker: Tracker; readonly onExport: () => void }) {
  const { tracker: words } = useMessages();
  return (
    <Menu
      aria-label={words.csv}
      placement="bottom end"
      onAction={(key) => key === 'export' && onExport()}
      trigger={<IconButton icon="file-type-csv" label={words.csv} size="small" />}
    >
      <MenuItem id="export" icon="download">
        {words.exportCsv}
      </MenuItem>
      {mayImport(tracker) && (
        <MenuItem id="import" icon="upload" href={`/trackers/${tracker.id}/import`}>
          {words.importCsv}
        </MenuItem>
      )}
    </Menu>
  );
}

const frozenKey = '@frozen';

/** Which columns there are; their order and width are set at their heads. */
function ColumnsMenu({ tracker, view, onChange }: PartProps) {
  const { tracker: words } = useMessages();
  const fields = columnFields(tracker).map(({ name, label }) => ({ name, label }));
  const all = [...fields, ...specialColumns.map((name) => ({ name, label: words.special[name] }))];
  const shown = new Set(view.columns.map(({ name }) => name));
  const isFull = shown.size >= mostColumns;
  const [areFrozen, setFrozen] = useFrozenColumns();
  return (
    <Menu
      aria-label={words.columns}
      placement="bottom end"
      search={words.searchFields}
      selectionMode="multiple"
      selectedKeys={areFrozen ? new Set([...shown, frozenKey]) : shown}
      onSelectionChange={(keys) => {
        if (keys === 'all') return;
        if (keys.has(frozenKey) !== areFrozen) return setFrozen(!areFrozen);
        const kept = view.columns.filter(({ name }) => keys.has(name));
        const added = all.filter(({ name }) => keys.has(name) && !shown.has(name));
        onChange({ columns: [...kept, ...added.map(({ name }) => ({ name }))] });
      }}
      trigger={<IconButton icon="adjustments-horizontal" label={words.settings} size="small" />}
    >
      <MenuSection name={words.rows}>
        <MenuItem id={frozenKey}>{words.freeze}</MenuItem>
      </MenuSection>
      <MenuSection name={words.columns}>
        {all.map(({ name, label }) => (
          <MenuItem
            key={name}
            id={name}
            reasonNot={isFull && !shown.has(name) ? words.mostColumns(mostColumns) : null}
          >
            {label}
          </MenuItem>
        ))}
      </MenuSection>
    </Menu>
  );
}
