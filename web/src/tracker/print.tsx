import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { FieldCell, fieldTypes, type StatusStages, statusStages } from '../fields/index.ts';
import { sectionedList } from '../kernel/sections.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { tellFault } from '../shell/index.ts';
import { type KnownRows, type RowSource, readRows } from './calls.ts';
import { type TableColumn, tableColumns } from './columns.ts';
import { useFiltersInWords } from './filter-bar.tsx';
import { type Group, useGroupName } from './groups.tsx';
import styles from './print.module.css';
import { dateSteps, titleField, type View } from './view.ts';

/** More than that nobody reads on paper. */
const mostRows = 2000;

export interface PrintedTableProps {
  readonly tracker: Tracker;
  readonly name: string;
  readonly view: View;
  readonly source: RowSource;
  readonly groups: readonly Group[] | undefined;
  /** The browser prints by itself, and waits for nothing: these are there. */
  readonly known?: KnownRows | undefined;
  readonly onDone: () => void;
}

/** All rows that match, as paper has them: read first, then drawn, then printed. */
export function PrintedTable(props: PrintedTableProps) {
  const { source, known, onDone } = props;
  const [rows, setRows] = useState(known);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is printed is read once.
  useEffect(() => {
    if (known !== undefined) return undefined;
    const stop = new AbortController();
    const fail = (error: unknown) => {
      if (stop.signal.aborted) return;
      tellFault(error);
      onDone();
    };
    readRows(source, mostRows, stop.signal).then(setRows, fail);
    return () => stop.abort();
  }, []);
  return rows === undefined ? null : createPortal(<Sheet {...props} {...rows} />, document.body);
}

function Sheet(props: PrintedTableProps & KnownRows) {
  const { tracker, name, view, groups, known, rows, columns: told, size, onDone } = props;
  const words = useMessages();
  const formats = useFormats();
  const filters = useFiltersInWords(tracker, view.filters);
  const columns = tableColumns(tracker, view.columns, told, words);
  const title = titleField(tracker);
  // biome-ignore lint/correctness/useExhaustiveDependencies: printed once, as soon as it is drawn.
  useEffect(() => {
    document.documentElement.dataset['printing'] = 'true';
    window.addEventListener('afterprint', onDone, { once: true });
    if (known === undefined) window.print();
    return () => {
      delete document.documentElement.dataset['printing'];
      window.removeEventListener('afterprint', onDone);
    };
  }, []);
  const narrowed = [filters, view.query, view.words].filter((text) => text !== '');
  const stages = statusStages(tracker);
  return (
    <section className={styles['sheet']} aria-label={words.print.sheet(name)}>
      <h1>
        {tracker.project.label} / {tracker.label} / {name}
      </h1>
      {narrowed.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>
        {size > rows.length
          ? words.print.firstOf(formats.number(rows.length), formats.number(size))
          : `${formats.number(size)} ${words.tracker.nArtifacts(size)}`}
      </p>
      <table>
        <thead>
          <tr>
            <th>{words.tracker.id}</th>
            <th>{title?.label ?? words.tracker.title}</th>
            {columns.map(({ name: key, label }) => (
              <th key={key}>{label}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          <PrintedRows
            rows={rows}
            groups={groups}
            width={columns.length + 2}
            step={dateSteps.find((one) => view.group?.endsWith(`:${one}`))}
            row={(row) => (
              <PrintedRow key={row.id} row={row} titleName={title?.name} columns={columns} stages={stages} />
            )}
          />
        </tbody>
      </table>
    </section>
  );
}

interface PrintedRowsProps {
  readonly rows: readonly ArtifactRow[];
  readonly groups: readonly Group[] | undefined;
  readonly width: number;
  readonly step: (typeof dateSteps)[number] | undefined;
  readonly row: (row: ArtifactRow) => ReactNode;
}

/** Rows with the headings of their groups between them. */
function PrintedRows({ rows, groups, width, step, row }: PrintedRowsProps) {
  const items = sectionedList(rows.length, groups, new Set());
  return Array.from({ length: items.length }, (_, index) => {
    const item = items.at(index);
    if (item?.kind === 'row') {
      const one = rows[item.row];
      return one === undefined ? null : row(one);
    }
    const group = item === undefined ? undefined : groups?.[item.section];
    return group === undefined ? null : (
      <PrintedHeading key={`group ${group.key}`} group={group} width={width} step={step} />
    );
  });
}

function PrintedHeading({
  group,
  width,
  step,
}: {
  readonly group: Group;
  readonly width: number;
  readonly step: PrintedRowsProps['step'];
}) {
  const formats = useFormats();
  const label = useGroupName(group, step);
  return (
    <tr>
      <th colSpan={width} scope="rowgroup" className={styles['group']}>
        {label} ({formats.number(group.count)})
      </th>
    </tr>
  );
}

function PrintedRow({
  row,
  titleName,
  columns,
  stages,
}: {
  readonly row: ArtifactRow;
  readonly titleName: string | undefined;
  readonly columns: readonly TableColumn[];
  readonly stages: StatusStages;
}) {
  const { tracker: words } = useMessages();
  const title = titleName === undefined ? undefined : row.cells[titleName]?.value;
  return (
    <tr>
      <td>{row.id}</td>
      <td className={styles['title']}>{typeof title === 'string' ? title : (row.title ?? words.noTitle)}</td>
      {columns.map((column) => {
        const Cell =
          (column.field === undefined ? undefined : fieldTypes[column.field.type]?.Cell) ?? FieldCell;
        return (
          <td key={column.name}>
            <Cell
              column={column}
              cell={row.cells[column.name]}
              stages={column.isStatus ? stages : undefined}
              isDue={column.isDue && row.is_open}
            />
          </td>
        );
      })}
    </tr>
  );
}
