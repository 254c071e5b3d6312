import type { Tracker } from '@atelier/client/routes';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ChoiceMark, type Field, fieldTypes, possibleChoices, statusStages } from '../../fields/index.ts';
import { useMessages } from '../../messages/index.ts';
import { classes, Icon } from '../../ui/index.ts';
import { fieldNamed } from '../view.ts';
import { type ImportColumn, idTarget, suggestions } from './columns.ts';
import styles from './csv.module.css';
import { Reason } from './reason.tsx';
import type { RowState } from './use-import.ts';

interface CellFieldProps {
  readonly tracker: Tracker;
  readonly column: ImportColumn;
  readonly row: RowState;
  readonly number: number;
  /** Editing is over: with the text that stands there now, and where one goes on; without one nothing changes. */
  onDone(text: string | undefined, step: number): void;
}

/** A cell that is typed into. Below it stands what is wrong, and what a list could say instead, the nearest first. */
export function CellField({ tracker, column, row, number, onDone }: CellFieldProps) {
  const { csv: words } = useMessages();
  const { place, target } = column;
  const field = target === null ? undefined : fieldNamed(tracker, target);
  const label = target === idTarget ? words.idColumn : (field?.label ?? column.from);
  const before = row.cells[place] ?? '';
  const [text, setText] = useState(before);
  const reason = row.faults.get(place) ?? row.faults.get(-1);
  const offered = suggestions(field, text);
  // Words of an open list may be new.
  const isClosed = offered.length > 0 && fieldTypes[field?.type ?? '']?.takesNewWords !== true;
  const [active, setActive] = useState(isClosed && reason !== undefined ? 0 : -1);
  const box = useRef<HTMLInputElement>(null);
  const offers = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.select();
    offers.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const present = row.present.get(place) ?? '';
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = active < 0 ? text : (offered[active] ?? text);
    const acts: Readonly<Record<string, () => void>> = {
      Enter: () => onDone(chosen, 0),
      Tab: () => onDone(chosen, event.shiftKey ? -1 : 1),
      Escape: () => onDone(undefined, 0),
      ArrowDown: () => setActive(Math.min(offered.length - 1, active + 1)),
      ArrowUp: () => setActive(Math.max(-1, active - 1)),
    };
    event.stopPropagation();
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget === null || !currentTarget.contains(relatedTarget)) onDone(text, 0);
  };
  return (
    <div role="gridcell" className={styles['edited']} onKeyDown={onKeyDown} onBlur={onBlur}>
      <input
        ref={box}
        // biome-ignore lint/a11y/noAutofocus: the cell was opened to be typed into
        autoFocus
        aria-label={words.edit(label, String(number))}
        aria-invalid={reason !== undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(isClosed && event.target.value.trim() !== '' ? 0 : -1);
        }}
      />
      {(reason !== undefined || offered.length > 0) && (
        <div ref={offers} className={styles['offers']}>
          {reason !== undefined && (
            <p className={styles['reason']} role="alert">
              <Icon name="alert-circle" size={14} />
              <span>
                <Reason>{reason}</Reason> {words.waits(String(number))}
              </span>
            </p>
          )}
          {offered.slice(0, 50).map((name, at) => (
            <Offer
              key={name}
              tracker={tracker}
              field={field}
              name={name}
              isActive={at === active}
              isNearest={at === 0 && text.trim() !== ''}
              onChoose={() => onDone(name, 0)}
            />
          ))}
          {reason !== undefined && (
            <button
              type="button"
              className={classes(styles['offer'], styles['leave'])}
              onClick={() => onDone(present, 0)}
            >
              {words.leave(label, String(number))}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface OfferProps {
  readonly tracker: Tracker;
  readonly field: Field | undefined;
  readonly name: string;
  readonly isActive: boolean;
  readonly isNearest: boolean;
  onChoose(): void;
}

function Offer({ tracker, field, name, isActive, isNearest, onChoose }: OfferProps) {
  const { csv: words } = useMessages();
  const choice =
    field === undefined
      ? undefined
      : possibleChoices(field).find((one) => one.name === name || one.login === name);
  const stages = field?.field_id === tracker.semantics.status?.field_id ? statusStages(tracker) : undefined;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes(styles['offer'], isActive && styles['active'])}
      aria-current={isActive}
      onClick={onChoose}
    >
      {choice !== undefined && <ChoiceMark choice={choice} stages={stages} />}
      <span className={styles['cellText']}>{name}</span>
      {isNearest && <span className={styles['faint']}>{words.nearest}</span>}
    </button>
  );
}
