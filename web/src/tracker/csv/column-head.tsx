import type { Tracker } from '@atelier/client/routes';
import { useMessages } from '../../messages/index.ts';
import { Button, classes, Menu, MenuItem } from '../../ui/index.ts';
import { fieldNamed } from '../view.ts';
import { type ImportColumn, idTarget, importFields } from './columns.ts';
import styles from './csv.module.css';

interface ColumnHeadProps {
  readonly tracker: Tracker;
  readonly column: ImportColumn;
  readonly columns: readonly ImportColumn[];
  readonly isLocked: boolean;
  onMatch(target: string | null): void;
}

const leftOut = '@none';

/** What of an artifact a column is, and what the file calls it. */
export function ColumnHead({ tracker, column, columns, isLocked, onMatch }: ColumnHeadProps) {
  const { csv: words } = useMessages();
  const { target } = column;
  const from = column.from.trim() === '' ? words.noName : column.from;
  const label =
    target === null
      ? words.leaveOut
      : target === idTarget
        ? words.idColumn
        : (fieldNamed(tracker, target)?.label ?? target);
  const targets = [
    { id: idTarget, name: words.idColumn },
    ...importFields(tracker).map((field) => ({ id: field.name, name: field.label })),
  ];
  const isTaken = (id: string) => columns.some((other) => other !== column && other.target === id);
  return (
    <div role="columnheader" className={classes(styles['headCell'], target === null && styles['leftOut'])}>
      <Menu
        aria-label={words.columnOf(from)}
        search={words.searchFields}
        onAction={(key) => onMatch(key === leftOut ? null : String(key))}
        trigger={
          <Button
            kind="quiet"
            size="small"
            opens
            isDisabled={isLocked}
            aria-label={`${words.columnOf(from)}: ${label}`}
            className={styles['headName'] ?? ''}
          >
            <span>{label}</span>
          </Button>
        }
      >
        <MenuItem id={leftOut} isSet={target === null}>
          {words.leaveOut}
        </MenuItem>
        {targets.map(({ id, name }) => (
          <MenuItem key={id} id={id} isSet={id === target} second={isTaken(id) ? words.isTaken : undefined}>
            {name}
          </MenuItem>
        ))}
      </Menu>
      <span className={styles['from']} title={from}>
        {words.from(from)}
      </span>
    </div>
  );
}
