import type { Tracker } from '@atelier/client/routes';
import { useParams } from '@tanstack/react-router';
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import { textOfBytes } from '../../kernel/csv.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { LeaveGuard, Page, ProblemPage } from '../../shell/index.ts';
import { useTracker } from '../../store/index.ts';
import {
  Button,
  classes,
  Dialog,
  EmptyPlace,
  Icon,
  IconButton,
  LinkButton,
  Note,
  NoteAction,
  Select,
  Skeleton,
  Switch,
  TextArea,
} from '../../ui/index.ts';
import { mayImport } from '../view.ts';
import { dateOrders } from './calls.ts';
import { importFields } from './columns.ts';
import styles from './csv.module.css';
import { type CellPlace, type GridActs, ImportGrid } from './grid.tsx';
import { type Outcome, type RowState, useImport } from './use-import.ts';

/** A table that becomes artifacts, or changes those that are there. */
export function ImportTablePage() {
  const { id } = useParams({ strict: false });
  const uri = `trackers/${id}`;
  const { thing: tracker, error, askAgain } = useTracker(uri);
  if (tracker !== undefined) return <OfTracker key={uri} tracker={tracker} />;
  if (error !== null) return <ProblemPage error={error} askAgain={askAgain} />;
  return (
    <Page title="" crumbs={[]} place={{ tracker: uri }}>
      <Skeleton lines={8} />
    </Page>
  );
}

type Importing = ReturnType<typeof useImport>;

function OfTracker({ tracker }: { readonly tracker: Tracker }) {
  const { csv: words } = useMessages();
  const importing = useImport(tracker);
  const [pasted, setPasted] = useState('');
  const crumbs = [
    { name: tracker.project.label, to: `/projects/${tracker.project.id}` },
    { name: tracker.label, color: tracker.color_name, to: `/trackers/${tracker.id}` },
    { name: words.import },
  ];
  return (
    <Page
      title={`${words.import} · ${tracker.label} · ${tracker.project.label}`}
      crumbs={crumbs}
      place={{ project: `projects/${tracker.project.id}`, tracker: tracker.uri }}
      hasOwnPrimary
      fillsHeight
    >
      {mayImport(tracker) ? (
        importing.file === undefined ? (
          <Beginning tracker={tracker} importing={importing} pasted={pasted} onPaste={setPasted} />
        ) : (
          <Looked tracker={tracker} importing={importing} name={importing.file.name} />
        )
      ) : (
        <div className={styles['beginning']}>
          <EmptyPlace icon="lock" name={words.importTitle}>
            {words.notAllowed}
          </EmptyPlace>
        </div>
      )}
    </Page>
  );
}

interface PartProps {
  readonly tracker: Tracker;
  readonly importing: Importing;
}

/** What comes in place of something that had the focus takes it: the page stays where it was for keys and screen readers. */
function useFocusAfterOther<Kind extends HTMLElement>(isAfterOther: boolean) {
  const heading = useRef<Kind>(null);
  useEffect(() => {
    if (isAfterOther) heading.current?.focus();
  }, [isAfterOther]);
  return heading;
}

interface BeginningProps extends PartProps {
  readonly pasted: string;
  onPaste(text: string): void;
}

/** Where a table comes in: dropped, chosen or pasted. */
function Beginning({ tracker, importing, pasted, onPaste }: BeginningProps) {
  const { csv: words } = useMessages();
  const chooser = useRef<HTMLInputElement>(null);
  const title = useFocusAfterOther<HTMLHeadingElement>(importing.columns.length > 0);
  const [isOver, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const decoded = textOfBytes(new Uint8Array(await file.arrayBuffer()));
    if (decoded === undefined) importing.refuse(words.noText(file.name));
    else importing.take(file.name, decoded.text, decoded.encoding);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className={styles['beginning']}>
      <h2 ref={title} tabIndex={-1} className={styles['title']}>
        {words.importTitle}
      </h2>
      <p className={styles['words']}>{words.importHelp}</p>
      {importing.fault !== undefined && (
        <Note meaning="bad" isAlert>
          {importing.fault}
        </Note>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here, and the button does the same */}
      <div
        className={classes(styles['drop'], isOver && styles['over'])}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="file-type-csv" size={24} />
        <span>{words.drop}</span>
        <Button kind="primary" onPress={() => chooser.current?.click()}>
          {words.choose}
        </Button>
        <input
          ref={chooser}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          hidden
          aria-label={words.choose}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      <TextArea label={words.paste} rows={5} value={pasted} onChange={onPaste} />
      <div>
        <Button
          isDisabled={pasted.trim() === ''}
          onPress={() => importing.take(words.pasted, pasted, 'UTF-8')}
        >
          {words.takePasted}
        </Button>
      </div>
      <details className={styles['fields']}>
        <summary>{words.fieldsThere}</summary>
        <ul>
          {importFields(tracker).map(({ name, label }) => (
            <li key={name}>
              {label} <code>{name}</code>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

const outcomes: readonly Outcome[] = ['changed', 'created', 'unchanged', 'refused'];

const faultsIn = (rows: readonly RowState[]): readonly CellPlace[] =>
  rows.flatMap((row, place) => [...row.faults.keys()].map((column) => ({ row: place, column })));

/** The table as it was read, what would come of it, and what came of it. */
function Looked({ tracker, importing, name }: PartProps & { readonly name: string }) {
  const { csv: words, leaving, ui } = useMessages();
  const formats = useFormats();
  const { file, columns, dateOrder, rows, phase, fault } = importing;
  const [isNarrowed, setNarrowed] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const grid = useRef<GridActs>(null);
  const title = useFocusAfterOther<HTMLElement>(true);
  const faults = useMemo(() => faultsIn(rows), [rows]);
  const shown = useMemo(() => {
    const all = rows.map((_, place) => place);
    return isNarrowed ? all.filter((place) => (rows[place]?.faults.size ?? 0) > 0) : all;
  }, [rows, isNarrowed]);
  const left = rows.filter(({ isDone }) => !isDone).length;
  const isBusy = phase.kind === 'checking' || phase.kind === 'importing';
  const isDone = phase.kind === 'done';
  const hasTarget = columns.some(({ target }) => target !== null);
  const tooLong = file?.table.tooLong ?? [];
  const reasonNot =
    phase.kind === 'ready' && fault !== undefined && faults.length === 0
      ? fault
      : phase.kind === 'checking'
        ? words.wait
        : faults.length > 0
          ? words.putRight(formats.number(faults.length), faults.length)
          : null;
  return (
    <div className={styles['looked']}>
      <div className={styles['top']}>
        <Icon name="file-text" />
        <strong ref={title} tabIndex={-1} className={styles['fileName']}>
          {name}
        </strong>
        <span className={styles['facts']}>
          {file !== undefined &&
            words.facts(
              words.rowCount(formats.number(rows.length), rows.length),
              words.columnCount(formats.number(columns.length), columns.length),
              words.separators[file.separator].toLowerCase(),
              file.encoding,
            )}
        </span>
        <span className={styles['rest']} />
        {phase.kind === 'importing' ? (
          <Button onPress={importing.stop}>{words.stop}</Button>
        ) : (
          <Button onPress={importing.isAtStake ? () => setLeaving(true) : importing.forget}>
            {words.another}
          </Button>
        )}
        {isDone ? (
          <LinkButton kind="primary" href={`/trackers/${tracker.id}`}>
            {words.openTracker(tracker.label)}
          </LinkButton>
        ) : (
          <Button
            kind="primary"
            isBusy={phase.kind === 'importing'}
            reasonNot={reasonNot}
            onPress={() => void importing.store()}
          >
            {words.importAll(formats.number(left))}
          </Button>
        )}
      </div>
      {fault !== undefined && (
        <Note
          meaning="bad"
          isAlert
          className={styles['fault'] ?? ''}
          actions={
            phase.kind === 'ready' &&
            hasTarget && <NoteAction onPress={importing.checkAgain}>{ui.tryAgain}</NoteAction>
          }
        >
          {fault}
          {phase.kind === 'stopped' && <p className={styles['second']}>{words.goesOn}</p>}
        </Note>
      )}
      {tooLong.length > 0 && (
        <Note meaning="care" className={styles['fault'] ?? ''}>
          {words.tooLong(formats.list(tooLong.slice(0, 10).map(String)), tooLong.length)}
        </Note>
      )}
      <LeaveGuard isNeeded={importing.isAtStake}>
        {phase.kind === 'importing' ? words.leaveImporting : undefined}
      </LeaveGuard>
      <Dialog
        title={words.forget}
        role="alertdialog"
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        buttons={
          <>
            <Button onPress={() => setLeaving(false)}>{leaving.stay}</Button>
            <Button kind="danger" onPress={importing.forget}>
              {words.another}
            </Button>
          </>
        }
      >
        <p>{leaving.words}</p>
      </Dialog>
      {isBusy && <Progress phase={phase} />}
      <div className={styles['summary']}>
        {faults.length > 0 && !isBusy && (
          <span className={styles['badWords']}>
            <Icon name="alert-circle" />
            {words.faults(formats.number(faults.length), faults.length)}
          </span>
        )}
        <Outcomes rows={rows} isDone />
        <Outcomes rows={rows} isDone={false} />
        <span className={styles['rest']} />
        {dateOrder !== undefined && !isDone && (
          <Select
            aria-label={words.dateOrder}
            options={dateOrders.map((id) => ({ id, name: words.dateOrders[id] }))}
            value={dateOrder}
            isDisabled={isBusy || phase.kind === 'stopped'}
            onChange={(id) => importing.orderDays(dateOrders.find((one) => one === id) ?? dateOrder)}
            className={styles['order']}
          />
        )}
        <Faults
          faults={faults}
          isNarrowed={isNarrowed}
          onNarrow={setNarrowed}
          onShow={(cell) => {
            const column = columns.findIndex(({ place }) => place === cell.column);
            grid.current?.show({ row: cell.row, column });
          }}
        />
      </div>
      <ImportGrid
        tracker={tracker}
        name={name}
        columns={columns}
        rows={rows}
        numbers={file?.table.numbers ?? []}
        shown={shown}
        isLocked={isBusy || isDone || phase.kind === 'stopped'}
        acts={grid}
        onEdit={({ row, column }, text) => void importing.edit(row, columns[column]?.place ?? column, text)}
        onMatch={importing.match}
      />
    </div>
  );
}

/** How many rows became something, or would. */
function Outcomes({ rows, isDone }: { readonly rows: readonly RowState[]; readonly isDone: boolean }) {
  const { csv: words } = useMessages();
  const formats = useFormats();
  const said = isDone ? words.done : words.outcomes;
  return outcomes.map((outcome) => {
    const count = rows.filter((row) => row.outcome === outcome && row.isDone === isDone).length;
    if (count === 0) return null;
    return (
      <span key={outcome}>
        <strong>{formats.number(count)}</strong> {said[outcome](count)}
      </span>
    );
  });
}

function Progress({ phase }: { readonly phase: Importing['phase'] }) {
  const { csv: words } = useMessages();
  const formats = useFormats();
  if (phase.kind !== 'checking' && phase.kind !== 'importing') return null;
  const said = words[phase.kind](formats.number(phase.done), formats.number(phase.all));
  const percent = Math.round((phase.done / Math.max(1, phase.all)) * 100);
  return (
    <div className={styles['progress']}>
      <span role="status">{said}</span>
      <div role="progressbar" aria-label={said} aria-valuenow={percent} className={styles['track']}>
        <span style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}

interface FaultsProps {
  readonly faults: readonly CellPlace[];
  readonly isNarrowed: boolean;
  onNarrow(isNarrowed: boolean): void;
  onShow(cell: CellPlace): void;
}

/** From one bad cell to the next. */
function Faults({ faults, isNarrowed, onNarrow, onShow }: FaultsProps) {
  const { csv: words } = useMessages();
  const formats = useFormats();
  const [at, setAt] = useState(-1);
  if (faults.length === 0 && !isNarrowed) return null;
  const go = (step: number) => {
    const next = (at + step + faults.length) % Math.max(1, faults.length);
    const cell = faults[next];
    setAt(next);
    if (cell !== undefined) onShow(cell);
  };
  const shown = Math.min(Math.max(0, at), faults.length - 1) + 1;
  return (
    <>
      <Switch isSelected={isNarrowed} onChange={onNarrow}>
        {words.onlyFaults}
      </Switch>
      {faults.length === 0 ? (
        <span className={styles['faint']}>{words.noFault}</span>
      ) : (
        <span className={styles['pager']}>
          <IconButton
            icon="chevron-up"
            size="small"
            label={words.previousFault}
            onPress={() => go(at < 0 ? 0 : -1)}
          />
          {words.faultPlace(formats.number(shown), formats.number(faults.length))}
          <IconButton icon="chevron-down" size="small" label={words.nextFault} onPress={() => go(1)} />
        </span>
      )}
    </>
  );
}
