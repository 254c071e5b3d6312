import { useEffect, useRef, useState } from 'react';
import { type Formats, useFormats, useMessages } from '../../messages/index.ts';
import { EmptyDash, IconButton, RelativeTime, TextField } from '../../ui/index.ts';
import { DueDay } from '../cells.tsx';
import { hasTime } from '../dates.ts';
import { readDay, todayHere, writtenDay } from '../days.ts';
import { type ControlProps, type ReaderProps, textIn, withValue } from '../model.ts';
import styles from './controls.module.css';

export function DateReader({ field, value, isDue }: ReaderProps) {
  const formats = useFormats();
  const at = textIn(value?.['value']);
  if (at === '') return <EmptyDash />;
  if (isDue === true) return <DueDay at={at} />;
  return <span title={formats.exact(at)}>{hasTime(field) ? formats.moment(at) : formats.day(at)}</span>;
}

export function MomentReader({ value }: ReaderProps) {
  const at = textIn(value?.['value']);
  return at === '' ? <EmptyDash /> : <RelativeTime at={at} />;
}

const dayIn = (at: string): string => at.slice(0, 10);
const timeIn = (at: string): string => /^\S{10}[T ](\d\d:\d\d)/.exec(at)?.[1] ?? '';

/** As the API has it; without a zone it is the one of the server. */
const written = (day: string, time: string): string => (time === '' ? day : `${day}T${time}:00`);

/** Words such as "tomorrow" are read; the picker of the browser is beside it. */
export function DateControl(props: ControlProps) {
  const { field, value, onChange, label, fault, isRequired, autoFocus, onSend, onEscape } = props;
  const { fields } = useMessages();
  const formats = useFormats();
  const at = textIn(value?.['value']);
  const time = hasTime(field) ? timeIn(at) : '';
  const shown = shownDay(at, formats);
  const [typed, setTyped] = useState(shown);
  const [isWrong, setWrong] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(shown), [shown]);

  const set = (day: string, newTime = time) => {
    setWrong(false);
    onChange(
      withValue(field, {
        value: day === '' ? null : written(day, hasTime(field) ? newTime || '00:00' : ''),
        is_time_displayed: hasTime(field),
      }),
    );
  };
  const read = (): boolean => {
    if (typed === shown) return true;
    if (typed.trim() === '') {
      set('');
      return true;
    }
    const day = readDay(typed, todayHere());
    setWrong(day === null);
    if (day !== null) set(writtenDay(day));
    return day !== null;
  };

  return (
    <div className={styles['date']}>
      <TextField
        {...(label === undefined ? { 'aria-label': field.label } : { label })}
        value={typed}
        onChange={setTyped}
        onBlur={read}
        placeholder={fields.dateHint}
        fault={fault ?? (isWrong ? fields.notADay : null)}
        isRequired={isRequired ?? false}
        autoFocus={autoFocus ?? false}
        onKeyDown={(event) => {
          // What was read is told in the next round; sending has to wait for it.
          if (event.key === 'Enter') {
            if (read() && onSend) setTimeout(onSend);
          } else if (event.key === 'Escape' && onEscape) onEscape();
          else event.continuePropagation();
        }}
        end={
          <IconButton
            icon="calendar"
            size="small"
            label={fields.chooseDay}
            onPress={() => picker.current?.showPicker()}
          />
        }
      />
      <input
        ref={picker}
        type="date"
        className={styles['picker']}
        tabIndex={-1}
        aria-hidden="true"
        value={dayIn(at)}
        onChange={(event) => set(event.target.value)}
      />
      {hasTime(field) && (
        <TextField
          aria-label={`${field.label}: ${fields.time}`}
          type="time"
          className={styles['time']}
          value={time}
          onChange={(given) => set(dayIn(at) || writtenDay(todayHere()), given)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && onSend) onSend();
            else if (event.key === 'Escape' && onEscape) onEscape();
            else event.continuePropagation();
          }}
        />
      )}
    </div>
  );
}

const shownDay = (at: string, formats: Formats): string => (at === '' ? '' : formats.longDay(at));
