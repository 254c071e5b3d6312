import type { ArtifactRow, RowColumn } from '@atelier/client/routes';
import { Link } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { FieldCell } from '../fields/index.ts';
import type { SectionedList } from '../kernel/sections.ts';
import { useMessages } from '../messages/index.ts';
import { type List, useChangesOf, useThing } from '../store/index.ts';
import { rowFacet } from './calls.ts';
import { withPending } from './changed-rows.ts';
import type { TableColumn } from './columns.ts';
import { type Group, GroupHeading, type GroupHeadingProps } from './groups.tsx';
import type { TableModel } from './model.ts';
import styles from './table.module.css';
import { addressOf } from './view.ts';

export interface CardsProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly items: SectionedList;
  readonly list: List<ArtifactRow, readonly RowColumn[]>;
  /** Nobody knows yet how many there are, or below which headings. */
  readonly isWaiting: boolean;
  readonly model: TableModel;
  readonly columns: readonly TableColumn[];
  readonly groups: readonly Group[] | undefined;
  readonly heading: Pick<GroupHeadingProps, 'stages' | 'step'>;
  readonly folded: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

/** Rows on a small screen: two lines each. */
export function Cards(props: CardsProps) {
  const { scroller, virtual, items, list, isWaiting, model, columns, groups, heading, folded, onToggle } =
    props;
  const { tracker: words } = useMessages();
  return (
    <div ref={scroller} className={styles['scroller']}>
      <ul
        className={styles['rows']}
        style={{ height: virtual.getTotalSize() }}
        aria-label={words.rowsOf(model.tracker.label)}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items.at(index);
          const group = item?.kind === 'heading' ? groups?.[item.section] : undefined;
          return (
            <li
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              className={styles['slot']}
              style={{ transform: `translateY(${start}px)` }}
            >
              {group !== undefined && (
                <GroupHeading
                  kind="card"
                  group={group}
                  isFolded={folded.has(group.key)}
                  {...heading}
                  onToggle={() => onToggle(group.key)}
                />
              )}
              {item?.kind === 'row' && (
                <Card uri={isWaiting ? undefined : list.uriAt(item.row)} model={model} columns={columns} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const mostFacts = 3;
const isPeople = ({ type }: TableColumn) => type === 'list_user' || type === 'user';

function Card({
  uri,
  model,
  columns,
}: {
  readonly uri: string | undefined;
  readonly model: TableModel;
  readonly columns: readonly TableColumn[];
}) {
  const { ui, tracker: words } = useMessages();
  const { thing } = useThing(uri, rowFacet);
  const pending = useChangesOf(uri);
  if (thing === undefined)
    return (
      <div className={styles['card']} role="status" aria-label={ui.loading}>
        <span className={styles['bar']} />
      </div>
    );
  const row = withPending(thing, pending);
  const filled = columns.filter(({ name }) => hasValue(row, name));
  const people = filled.find(isPeople);
  const facts = filled
    .filter((column) => !isPeople(column) && !column.name.startsWith('@'))
    .slice(0, mostFacts);
  const title = row.cells[model.titleField?.name ?? '']?.value;
  return (
    <div className={styles['card']}>
      <span className={styles['cardTitle']}>
        <Link to={addressOf(row)} dir="auto" className={styles['cardLink']}>
          {typeof title === 'string' ? title : (row.title ?? words.noTitle)}
        </Link>
        <span className={styles['cardId']}>#{row.id}</span>
      </span>
      <span className={styles['cardFacts']}>
        {facts.map((column) => (
          <CardFact key={column.name} column={column} row={row} model={model} />
        ))}
        <span className={styles['rest']} />
        {people !== undefined && <CardFact column={people} row={row} model={model} />}
      </span>
    </div>
  );
}

function CardFact({
  column,
  row,
  model,
}: {
  readonly column: TableColumn;
  readonly row: ArtifactRow;
  readonly model: TableModel;
}) {
  return (
    <FieldCell
      column={column}
      cell={row.cells[column.name]}
      stages={column.isStatus ? model.stages : undefined}
      isDue={column.isDue && row.is_open}
    />
  );
}

function hasValue(row: ArtifactRow, name: string): boolean {
  const value = row.cells[name]?.value;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
}
