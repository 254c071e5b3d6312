import type { ComponentType, ReactNode } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { Chip, classes, Dot, EmptyDash, Face, Faces, Icon, RelativeTime, StatusRing } from '../ui/index.ts';
import styles from './cells.module.css';
import { type Choice, choicesIn, firstName, pictureOf, shortName } from './choice.ts';
import { type CellProps, membersIn, numberIn, type RowCell, type StatusStages, textIn } from './model.ts';

/** Marks and words on one line, cut where the column ends. */
function Line({ children }: { readonly children: ReactNode }) {
  return <span className={styles['line']}>{children}</span>;
}

function Words({ children }: { readonly children: ReactNode }) {
  return <span className={styles['words']}>{children}</span>;
}

/** Lists: a ring for a status, a dot for the others; several as words after one another. */
export function ChoiceMarks({
  choices,
  stages,
}: {
  readonly choices: readonly Choice[];
  readonly stages?: StatusStages | undefined;
}) {
  if (choices.length === 0) return <EmptyDash />;
  if (choices.every((choice) => choice.person !== undefined)) return <PeopleMarks choices={choices} />;
  return (
    <Line>
      {choices.map((choice) => (
        <span key={choice.id} className={styles['choice']}>
          <ChoiceMark choice={choice} stages={stages} />
          <Words>{choice.name}</Words>
        </span>
      ))}
    </Line>
  );
}

export function ChoiceMark({
  choice,
  stages,
}: {
  readonly choice: Choice;
  readonly stages?: StatusStages | undefined;
}) {
  const stage = stages?.get(choice.id);
  if (stage !== undefined) return <StatusRing colour={choice.colour} stage={stage} />;
  if (choice.person !== undefined) return <Face {...choice.person} />;
  if (choice.isGroup === true) return <Face id={0} name={choice.name} isGroup />;
  return choice.colour ? <Dot colour={choice.colour} /> : null;
}

function PeopleMarks({ choices }: { readonly choices: readonly Choice[] }) {
  const people = choices.flatMap((choice) => choice.person ?? []);
  const names =
    choices.length === 1 ? choices.map(({ name }) => name) : choices.map(({ name }) => firstName(name));
  return (
    <Line>
      <Faces people={people} most={3} />
      <Words>{names.join(', ')}</Words>
    </Line>
  );
}

/** Tokens of an open list. */
export function ChoiceChips({ choices }: { readonly choices: readonly Choice[] }) {
  if (choices.length === 0) return <EmptyDash />;
  return (
    <span className={styles['chips']}>
      {choices.map((choice) => (
        <Chip key={choice.id} colour={choice.colour}>
          {choice.name}
        </Chip>
      ))}
    </span>
  );
}

/** A day that has come or gone says so in words. */
export function DueDay({ at }: { readonly at: string }) {
  const formats = useFormats();
  const { fields } = useMessages();
  const days = formats.daysUntil(at);
  if (days > 0) return <span title={formats.exact(at)}>{formats.day(at)}</span>;
  if (days === 0)
    return (
      <span className={styles['today']} title={formats.exact(at)}>
        {fields.today}
      </span>
    );
  return (
    <span className={styles['late']} title={formats.exact(at)}>
      <Icon name="alert-triangle" size={14} />
      <span className={styles['cut']}>
        {formats.day(at)}, {fields.late}
      </span>
    </span>
  );
}

function TextCell({ cell }: CellProps) {
  const text = textIn(cell?.value);
  return text === '' ? <EmptyDash /> : <Words>{cell?.['is_cut'] === true ? `${text}…` : text}</Words>;
}

function NumberCell({ cell, column }: CellProps) {
  const formats = useFormats();
  const value = numberIn(cell?.value);
  if (value === null) return <EmptyDash />;
  if (column.name === '@progress')
    return <span className={styles['number']}>{formats.number(value * 100, 0)} %</span>;
  return <span className={styles['number']}>{formats.number(value)}</span>;
}

function DateCell({ cell, isDue }: CellProps) {
  const formats = useFormats();
  const at = textIn(cell?.value);
  if (at === '') return <EmptyDash />;
  if (isDue === true) return <DueDay at={at} />;
  if (cell?.['with_time'] === true) return <RelativeTime at={at} className={styles['time'] ?? ''} />;
  return <span title={formats.exact(at)}>{formats.day(at)}</span>;
}

function PersonCell({ cell }: CellProps) {
  const { id, display_name: name, avatar_url: picture } = personIn(cell);
  if (name === '') return <EmptyDash />;
  return (
    <Line>
      <Face id={id} name={shortName(name)} picture={pictureOf(picture)} />
      <Words>{shortName(name)}</Words>
    </Line>
  );
}

/** Those who are there by themselves stand in the cell, or in its value. */
function personIn(cell: RowCell | undefined) {
  const [inside] = membersIn([cell?.value]);
  const user = inside ?? cell ?? {};
  return {
    id: numberIn(user['id']) ?? 0,
    display_name: textIn(user['display_name']),
    avatar_url: user['avatar_url'],
  };
}

function ListCell({ cell, stages }: CellProps) {
  return <ChoiceMarks choices={choicesIn(cell?.value)} stages={stages} />;
}

function CountCell({ cell }: CellProps) {
  const items = membersIn(cell?.value);
  if (items.length === 0) return <EmptyDash />;
  const names = items.map((item) => textIn(item['name']) || textIn(item['xref']) || textIn(item['ref']));
  return (
    <Words>{names.map((name, place) => name || `#${String(items[place]?.['id'] ?? '')}`).join(', ')}</Words>
  );
}

function ArtifactCell({ cell }: CellProps) {
  const [artifact] = membersIn([cell?.value]);
  if (artifact === undefined) return <EmptyDash />;
  return (
    <Line>
      <span className={styles['second']}>{textIn(artifact['xref'])}</span>
      <Words>{textIn(artifact['title'])}</Words>
    </Line>
  );
}

function ChildrenCell({ cell }: CellProps) {
  const { fields } = useMessages();
  const [children] = membersIn([cell?.value]);
  const open = numberIn(children?.['open']) ?? 0;
  const closed = numberIn(children?.['closed']) ?? 0;
  return open + closed === 0 ? <EmptyDash /> : <Words>{fields.nOfMDone(closed, open + closed)}</Words>;
}

function BooleanCell({ cell }: CellProps) {
  const { fields } = useMessages();
  return cell?.value === true ? <Icon name="check" label={fields.yes} /> : <EmptyDash />;
}

/** Cells by the types of columns that rows have. */
export const cellTypes: Readonly<Record<string, ComponentType<CellProps>>> = {
  text: TextCell,
  numeric: NumberCell,
  date: DateCell,
  user: PersonCell,
  list_user: ListCell,
  list_static: ListCell,
  list_user_group: ListCell,
  files: CountCell,
  links: CountCell,
  references: CountCell,
  artifact: ArtifactCell,
  children: ChildrenCell,
  boolean: BooleanCell,
};

/** A cell of a row, whatever its column is: a field, or `@children` and the like. */
export function FieldCell(props: CellProps) {
  const Shown = cellTypes[props.column.type] ?? TextCell;
  return <Shown {...props} />;
}

export const isTextColumn = (columnType: string): boolean => columnType === 'text';

/** Columns of numbers stand at the right. */
export const isRightAligned = (columnType: string): boolean => columnType === 'numeric';

export function SecondWords({
  children,
  className,
}: {
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return <span className={classes(styles['second'], className)}>{children}</span>;
}
