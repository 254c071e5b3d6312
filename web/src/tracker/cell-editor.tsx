import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { type Field, fieldTypes } from '../fields/index.ts';
import { placeOfRow, saveCell } from './editing.ts';
import styles from './table.module.css';

export interface CellEditorProps {
  readonly tracker: Tracker;
  readonly row: ArtifactRow;
  readonly field: Field;
  /** Editing is over; `next` where Tab goes on to the next cell. */
  readonly onDone: (next?: 'next' | 'previous') => void;
}

/** Lists of choices float outside of the cell. */
const isInOverlay = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=listbox],[role=dialog],[data-trigger]') !== null;

/** The control of a field in place of its cell. What was chosen or typed is stored when it is left, but not by Escape. */
export function CellEditor({ tracker, row, field, onDone }: CellEditorProps) {
  const type = fieldTypes[field.type];
  const [value, setValue] = useState(() => type?.valueOfCell(field, row.cells[field.name] ?? {}));
  const latest = useRef(value);
  const isOver = useRef(false);
  const finish = (isKept: boolean, next?: 'next' | 'previous') => {
    if (isOver.current) return;
    isOver.current = true;
    if (isKept && latest.current !== undefined) saveCell(row, field, latest.current);
    onDone(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') finish(false);
    else if (event.key === 'Tab') finish(true, event.shiftKey ? 'previous' : 'next');
    else if (event.key === 'Enter' && type?.isChoice !== true) finish(true);
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  };
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget === null || currentTarget.contains(relatedTarget) || isInOverlay(relatedTarget)) return;
    finish(true);
  };
  if (type?.Control === undefined) return null;
  const { Control } = type;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what the control inside leaves
    <div className={styles['editor']} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Control
        field={field}
        value={value}
        onChange={(next) => {
          latest.current = next;
          setValue(next);
        }}
        place={placeOfRow(tracker, row)}
        autoFocus
        look="value"
        {...(type.isChoice ? { isOpen: true } : {})}
        onOpenChange={(isOpen) => !isOpen && finish(true)}
        onSend={() => finish(true)}
        onEscape={() => finish(false)}
      />
    </div>
  );
}
