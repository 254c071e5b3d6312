import type { ArtifactRow, RowColumn, Tracker } from '@atelier/client/routes';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, memo, useRef } from 'react';
import { choicesIn, dueFieldId, FieldCell, type StatusStages, statusField } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { addressOf } from '../tracker/index.ts';
import { classes, coloured, Faces, Icon, type IconName, NotSavedYet } from '../ui/index.ts';
import styles from './board.module.css';
import { useDraggable, useDragged } from './drag.ts';
import { CardMenu, type CardMenuProps } from './menu.tsx';

/** What all cards of a board have in common. */
export interface CardLook {
  readonly tracker: Tracker;
  readonly stages: StatusStages;
  readonly titleName: string | undefined;
  /** What cards show beside their title, as the server told it. */
  readonly facts: readonly RowColumn[];
  readonly coloursBy: string | undefined;
}

export interface CardActs {
  open(row: ArtifactRow): void;
  /** It has the focus. */
  stand(uri: string): void;
  select(uri: string): void;
  /** How many cards go with it when it is moved, itself included. */
  countWith(uri: string): number;
  openMenu(uri: string | undefined): void;
  menuOf(uri: string): CardMenuProps | undefined;
}

export interface CardProps {
  readonly row: ArtifactRow;
  readonly look: CardLook;
  readonly acts: CardActs;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly isCarried: boolean;
  readonly isSaving: boolean;
  readonly hasMenu: boolean;
  readonly howTo: string;
}

export const titleOf = (row: ArtifactRow, titleName: string | undefined): string | undefined => {
  const title = titleName === undefined ? undefined : row.cells[titleName]?.value;
  return typeof title === 'string' ? title : (row.title ?? undefined);
};

/** A card: its title, one line of facts, and faces at the right. */
export const Card = memo(function Card(props: CardProps) {
  const { row, look, acts, isCurrent, isOpen, isSelected, isCarried, isSaving, hasMenu, howTo } = props;
  const { board: words, tracker: said } = useMessages();
  const place = useRef<HTMLLIElement>(null);
  useDraggable(place, row.uri, row.may_update, acts.countWith);
  const isDragged = useDragged(row.uri);
  const colour =
    look.coloursBy === undefined ? undefined : choicesIn(row.cells[look.coloursBy]?.value)[0]?.colour;
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.button !== 0) return;
    event.preventDefault();
    if (event.shiftKey) acts.select(row.uri);
    else acts.open(row);
  };
  return (
    <li
      ref={place}
      data-place
      className={classes(
        styles['card'],
        isDragged && styles['left'],
        isSelected && styles['selected'],
        isCarried && styles['carried'],
        isOpen && styles['opened'],
        look.coloursBy !== undefined && styles['tinted'],
      )}
      {...(look.coloursBy === undefined ? {} : coloured(colour))}
    >
      <Link
        to={addressOf(row)}
        data-card={row.uri}
        tabIndex={isCurrent ? 0 : -1}
        draggable={false}
        dir="auto"
        aria-describedby={howTo}
        className={styles['title'] ?? ''}
        onClick={follow}
        onFocus={() => acts.stand(row.uri)}
      >
        {titleOf(row, look.titleName) ?? said.noTitle}
      </Link>
      <span className={styles['facts']}>
        <span className={styles['id']}>#{row.id}</span>
        <Facts row={row} look={look} />
        <Marks row={row} />
        {isSelected && <Icon name="checkbox" size={14} label={words.isSelected} />}
        {isSaving && <NotSavedYet />}
        <People row={row} look={look} />
      </span>
      <CardMenu
        label={words.actsOf(row.xref)}
        isCurrent={isCurrent}
        menu={hasMenu ? acts.menuOf(row.uri) : undefined}
        onOpen={() => acts.openMenu(row.uri)}
      />
    </li>
  );
});

const isPeople = ({ type }: RowColumn) => type === 'list_user' || type === 'user';

function hasValue(row: ArtifactRow, name: string): boolean {
  const value = row.cells[name]?.value;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
}

function Facts({ row, look }: { readonly row: ArtifactRow; readonly look: CardLook }) {
  const due = dueFieldId(look.tracker);
  const status = statusField(look.tracker)?.field_id;
  return look.facts
    .filter((column) => !isPeople(column) && hasValue(row, column.name))
    .map((column) => (
      <span key={column.name} className={styles['fact']} title={column.label}>
        <FieldCell
          column={column}
          cell={row.cells[column.name]}
          stages={column.field_id !== null && column.field_id === status ? look.stages : undefined}
          isDue={column.field_id !== null && column.field_id === due && row.is_open}
        />
      </span>
    ));
}

function People({ row, look }: { readonly row: ArtifactRow; readonly look: CardLook }) {
  const people = look.facts
    .filter(isPeople)
    .flatMap(({ name }) => choicesIn([row.cells[name]?.value].flat()))
    .flatMap(({ person }) => person ?? []);
  const each = [...new Map(people.map((person) => [person.id, person])).values()];
  return each.length === 0 ? null : (
    <span className={styles['people']}>
      <Faces people={each} most={3} />
    </span>
  );
}

const numberIn = (value: unknown): number => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null) return 0;
  const { open = 0, closed = 0 }: { open?: number; closed?: number } = value;
  return Number(open) + Number(closed);
};

/** Comments and children, where there are any. */
function Marks({ row }: { readonly row: ArtifactRow }) {
  const { marks } = useMessages().tracker;
  const all: readonly [IconName, string, (count: number) => string][] = [
    ['list-tree', '@children', marks.children],
    ['message-2', '@comments', marks.comments],
  ];
  return all.map(([icon, name, words]) => {
    const count = numberIn(row.cells[name]?.value);
    return count === 0 ? null : (
      <span key={name} className={styles['mark']} title={words(count)}>
        <Icon name={icon} size={14} label={words(count)} />
        {count}
      </span>
    );
  });
}
