import type { Tracker } from '@atelier/client/routes';
import { useParams } from '@tanstack/react-router';
import { type DragEvent, useMemo, useRef, useState } from 'react';
import { useFormats, useMessages } from '../../messages/index.ts';
import { Page, ProblemPage } from '../../shell/index.ts';
import { useTracker } from '../../store/index.ts';
import {
  Button,
  classes,
  EmptyPlace,
  Icon,
  IconButton,
  LinkButton,
  Note,
  Skeleton,
  Switch,
  TextArea,
} from '../../ui/index.ts';
import { mayImport } from '../view.ts';
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
          <Beginning tracker={tracker} importing={importing} />
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

/** The text of a file: UTF-8, or what spreadsheets of old write where it is not. */
async function textOf(file: File): Promise<{ readonly text: string; readonly encoding: string }> {
  const bytes = await file.arrayBuffer();
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}

/** Where a table comes in: dropped, chosen or pasted. */
function Beginning({ tracker, importing }: PartProps) {
  const { csv: words } = useMessages();
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const { text, encoding } = await textOf(file);
    importing.take(file.name, text, encoding);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className={styles['beginning']}>
      <h2 className={styles['title']}>{words.importTitle}</h2>
      <p className={styles['words']}>{words.importHelp}</p>
      {importing.fault !== undefined && <Note meaning="bad">{importing.fault}</Note>}
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
      <TextArea label={words.paste} rows={5} value={pasted} onChange={setPasted} />
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
  const { csv: words } = useMessages();
  const formats = useFormats();
  const { file, columns, rows, phase, fault } = importing;
  const [isNarrowed, setNarrowed] = useState(false);
  const grid = useRef<GridActs>(null);
  const faults = useMemo(() => faultsIn(rows), [rows]);
  const shown = useMemo(() => {
    const all = rows.map((_, place) => place);
    return isNarrowed ? all.filter((place) => (rows[place]?.faults.size ?? 0) > 0) : all;
  }, [rows, isNarrowed]);
  const left = rows.filter(({ isDone }) => !isDone).length;
  const isBusy = phase.kind === 'checking' || phase.kind === 'importing';
  const isDone = phase.kind === 'done';
  const reasonNot =
    fault !== undefined && faults.length === 0
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
        <strong className={styles['fileName']}>{name}</strong>
        <span className={styles['facts']}>
          {file !== undefined &&
            words.facts(
              formats.number(rows.length),
              formats.number(columns.length),
              words.separators[file.separator].toLowerCase(),
              file.encoding,
            )}
        </span>
        <span className={styles['rest']} />
        <Button isDisabled={phase.kind === 'importing'} onPress={importing.forget}>
          {words.another}
        </Button>
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
        <Note meaning="bad" className={styles['fault'] ?? ''}>
          {fault}
        </Note>
      )}
      {isBusy && <Progress phase={phase} />}
      <div className={styles['summary']}>
        {faults.length > 0 && !isBusy && (
          <span className={styles['badWords']}>
            <Icon name="alert-circle" />
            {words.faults(formats.number(faults.length), faults.length)}
          </span>
        )}
        {outcomes.map((outcome) => {
          const count = rows.filter((row) => row.outcome === outcome).length;
          if (count === 0) return null;
          const said = isDone ? words.done : words.outcomes;
          return (
            <span key={outcome}>
              <strong>{formats.number(count)}</strong> {said[outcome]}
            </span>
          );
        })}
        <span className={styles['rest']} />
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
        isLocked={isBusy || isDone}
        acts={grid}
        onEdit={({ row, column }, text) => void importing.edit(row, columns[column]?.place ?? column, text)}
        onMatch={importing.match}
      />
    </div>
  );
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
