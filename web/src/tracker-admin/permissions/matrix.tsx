import { type KeyboardEvent, useRef, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes, Icon, IconButton, type IconName, Menu, MenuItem, Unseen } from '../../ui/index.ts';
import type { FieldSettings, MinimalUserGroup } from '../calls.ts';
import { changed, impliedBy, type Marks, markKey, type Right, rights, rightsOfType } from './model.ts';
import styles from './permissions.module.css';

const rightIcons: Readonly<Record<Right, IconName>> = {
  read: 'eye',
  submit: 'plus',
  update: 'pencil',
};

interface FieldMatrixProps {
  readonly fields: readonly FieldSettings[];
  readonly groups: readonly MinimalUserGroup[];
  readonly stored: Marks;
  readonly changes: Marks;
  onChange(changes: Marks): void;
}

/** Fields by groups, with three rights in a cell; whole rows and columns at once by their menus. */
export function FieldMatrix({ fields, groups, stored, changes, onChange }: FieldMatrixProps) {
  const { permissions: words } = useMessages().trackerAdmin;
  const table = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState('0 0');
  const marks = changed(stored, changes);
  const setAll = (
    someFields: readonly FieldSettings[],
    someGroups: readonly MinimalUserGroup[],
    key: string,
  ) => {
    const [right, verb] = key.split(' ');
    const more = new Map<string, boolean>();
    for (const { field_id: id, type } of someFields)
      for (const group of someGroups)
        for (const one of rightsOfType(type))
          if (one === right) more.set(markKey(id, one, group.id), verb === 'give');
    onChange(more);
  };
  const focus = (row: number, column: number) => {
    const button = table.current?.querySelector<HTMLElement>(`[data-mark="${row} ${column}"]`);
    button?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, row: number, column: number) => {
    const moves: Record<string, readonly [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
    };
    const target = moves[event.key];
    if (target === undefined) return;
    event.preventDefault();
    focus(...target);
  };
  return (
    <div className={styles['scroll']}>
      <table ref={table} className={styles['matrix']} aria-label={words.matrixName}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            {groups.map((group) => (
              <th key={group.id} scope="col">
                <span className={styles['headName']}>
                  <span>{group.label}</span>
                  <WholeMenu name={words.column(group.label)} onAct={(key) => setAll(fields, [group], key)} />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field, row) => (
            <tr key={field.field_id}>
              <th scope="row">
                <span className={styles['headName']}>
                  <span>{field.label}</span>
                  <WholeMenu name={words.row(field.label)} onAct={(key) => setAll([field], groups, key)} />
                </span>
              </th>
              {groups.map((group, place) => (
                <td key={group.id}>
                  <Cell
                    field={field}
                    group={group}
                    groups={groups}
                    marks={marks}
                    changes={changes}
                    row={row}
                    firstColumn={place * rights.length}
                    current={current}
                    onFocus={setCurrent}
                    onKeyDown={onKeyDown}
                    onChange={onChange}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly field: FieldSettings;
  readonly group: MinimalUserGroup;
  readonly groups: readonly MinimalUserGroup[];
  readonly marks: Marks;
  readonly changes: Marks;
  readonly row: number;
  readonly firstColumn: number;
  readonly current: string;
  onFocus(place: string): void;
  onKeyDown(event: KeyboardEvent, row: number, column: number): void;
  onChange(changes: Marks): void;
}

function Cell({ field, group, groups, marks, changes, row, firstColumn, ...props }: CellProps) {
  const { permissions: words } = useMessages().trackerAdmin;
  const { current, onFocus, onKeyDown, onChange } = props;
  const possible = rightsOfType(field.type);
  const isImplied = impliedBy(group.id);
  const isTouched = rights.some((right) => changes.has(markKey(field.field_id, right, group.id)));
  return (
    <span className={styles['cell']}>
      {rights.map((right, index) => {
        const column = firstColumn + index;
        if (!possible.includes(right)) return <span key={right} className={styles['impossible']} />;
        const key = markKey(field.field_id, right, group.id);
        const isGiven = marks.get(key) === true;
        const through = groups.find(
          ({ id }) => isImplied(id) && marks.get(markKey(field.field_id, right, id)) === true,
        );
        const place = `${row} ${column}`;
        const name = words.mark(group.label, words.rights[right], field.label);
        return (
          <button
            key={right}
            type="button"
            data-mark={place}
            tabIndex={current === place ? 0 : -1}
            aria-pressed={isGiven}
            aria-label={!isGiven && through ? `${name}, ${words.through(through.label)}` : name}
            className={classes(
              styles['mark'],
              isGiven ? styles['given'] : through !== undefined && styles['through'],
            )}
            onFocus={() => onFocus(place)}
            onKeyDown={(event) => onKeyDown(event, row, column)}
            onClick={() => onChange(new Map([[key, !isGiven]]))}
          >
            {isGiven || through !== undefined ? (
              <Icon name={rightIcons[right]} size={14} />
            ) : (
              <span className={styles['point']} />
            )}
          </button>
        );
      })}
      {isTouched && (
        <span className={styles['touched']}>
          <Unseen>{words.notStored}</Unseen>
        </span>
      )}
    </span>
  );
}

function WholeMenu({ name, onAct }: { readonly name: string; onAct(key: string): void }) {
  const { permissions: words } = useMessages().trackerAdmin;
  return (
    <Menu
      aria-label={name}
      onAction={(key) => onAct(String(key))}
      trigger={<IconButton icon="chevron-down" size="small" iconSize={14} label={name} />}
    >
      {rights.map((right) => (
        <MenuItem key={`${right} give`} id={`${right} give`} icon={rightIcons[right]}>
          {words.give(words.rights[right])}
        </MenuItem>
      ))}
      {rights.map((right) => (
        <MenuItem key={`${right} take`} id={`${right} take`}>
          {words.take(words.rights[right])}
        </MenuItem>
      ))}
    </Menu>
  );
}
