import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ChangedByOther, type Field, type FieldValue, fieldTypes } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce } from '../shell/index.ts';
import { artifactFacet, useThing } from '../store/index.ts';
import { Icon } from '../ui/index.ts';
import type { TableModel } from './model.ts';
import { placeOfRow, saveCell, stepOf } from './save-cell.ts';
import styles from './table.module.css';

export interface CellEditorProps {
  readonly model: TableModel;
  readonly row: ArtifactRow;
  readonly field: Field;
  /** What was typed before, where that was refused. */
  readonly typed: FieldValue | undefined;
  /** Editing is over; `next` where Tab goes on to the next cell. */
  readonly onDone: (next?: 'next' | 'previous') => void;
}

/** Lists of choices float outside of the cell. */
const isInOverlay = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=listbox],[role=dialog],[data-trigger]') !== null;

/** The control of a field in place of its cell. What was chosen or typed is stored when it is left, but not by Escape. */
export function CellEditor({ model, row, field, typed, onDone }: CellEditorProps) {
  const { tracker } = model;
  const type = fieldTypes[field.type];
  const [value, setValue] = useState(() => typed ?? type?.valueOfCell(field, row.cells[field.name] ?? {}));
  // What others do meanwhile does not make this a change of what they wrote.
  const [begun] = useState(row);
  const isFrozen = useFrozen(tracker, row, field);
  const latest = useRef(value);
  const isOver = useRef(false);
  const formats = useFormats();
  /** A step of the workflow that needs more asks for it first. */
  const save = (typedValue: FieldValue) => {
    const choice = stepOf(tracker, begun, field, typedValue);
    if (choice === undefined) saveCell(begun, field, typedValue, formats);
    else model.askForStep({ id: begun.id, field, choice });
  };
  const finish = (isKept: boolean, next?: 'next' | 'previous') => {
    if (isOver.current) return;
    isOver.current = true;
    if (isKept && latest.current !== undefined) save(latest.current);
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
  if (isFrozen) return <Frozen onDone={onDone} />;
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
      <ChangedByOther
        trackerId={tracker.id}
        uri={row.uri}
        field={field}
        value={type.valueOfCell(field, row.cells[field.name] ?? {})}
        isFloating
      />
    </div>
  );
}

/** Whether the state of the artifact freezes a field: rows do not tell, so it is asked for where a workflow might. */
function useFrozen(tracker: Tracker, { uri }: ArtifactRow, { field_id: id }: Field): boolean {
  const mayFreeze = tracker.workflow?.is_used === '1';
  const { thing } = useThing(mayFreeze ? uri : undefined, artifactFacet);
  const frozen: unknown = thing === undefined ? undefined : Reflect.get(thing, 'frozen_field_ids');
  return Array.isArray(frozen) && frozen.includes(id);
}

/** In place of the control, until somebody leaves it. */
function Frozen({ onDone }: { readonly onDone: () => void }) {
  const { tracker: words } = useMessages();
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    announce(words.cannotEditFrozen);
    place.current?.focus();
  }, [words]);
  return (
    <button ref={place} type="button" className={styles['frozen']} onClick={onDone} onBlur={onDone}>
      <Icon name="lock" size={14} />
      {words.cannotEditFrozen}
    </button>
  );
}
