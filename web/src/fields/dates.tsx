import { useEffect, useRef, useState } from 'react';
import { type Formats, useFormats, useMessages } from '../messages/index.ts';
import { EmptyDash, IconButton, RelativeTime, TextField } from '../ui/index.ts';
import { DueDay } from './cells.tsx';
import styles from './controls.module.css';
import { readDay, todayHere, writtenDay } from './days.ts';
import { DateFilter, dateFilterWords } from './filters.tsx';
import {
  type ControlProps,
  type Field,
  type FieldType,
  type FieldValue,
  type ReaderProps,
  textIn,
  withValue,
} from './model.ts';
import { simpleType } from './simple.ts';

const hasTime = (field: Field): boolean => field.is_time_displayed === true;

function Reader({ field, value, isDue }: ReaderProps) {
  const formats = useFormats();
  const at = textIn(value?.['value']);
  if (at === '') return <EmptyDash />;
  if (isDue === true) return <DueDay at={at} />;
  return <span title={formats.exact(at)}>{hasTime(field) ? formats.moment(at) : formats.day(at)}</span>;
}

function MomentReader({ value }: ReaderProps) {
  const at = textIn(value?.['value']);
  return at === '' ? <EmptyDash /> : <RelativeTime at={at} />;
}

const dayIn = (at: string): string => at.slice(0, 10);
const timeIn = (at: string): string => /^\S{10}[T ](\d\d:\d\d)/.exec(at)?.[1] ?? '';

/** As the API has it; without a zone it is the one of the server. */
const written = (day: string, time: string): string => (time === '' ? day : `${day}T${time}:00`);

/** Words such as "tomorrow" are read; the picker of the browser is beside it. */
function Control(props: ControlProps) {
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
        />
      )}
    </div>
  );
}

const shownDay = (at: string, formats: Formats): string => (at === '' ? '' : formats.longDay(at));

const summary = (value: FieldValue | undefined, formats: Formats): string => {
  const at = textIn(value?.['value']);
  if (at === '') return '';
  return value?.['is_time_displayed'] === true ? formats.moment(at) : formats.day(at);
};

const filters: Partial<FieldType> = {
  Filter: DateFilter,
  filterWords: dateFilterWords,
  groupedBy: 'date',
};

export const dateType = simpleType('date', {
  Reader,
  Control,
  summary,
  ...filters,
  cellOf: (field, value) => ({ value: value['value'], with_time: hasTime(field) }),
  valueOfCell: (field, cell) => withValue(field, { value: cell.value, is_time_displayed: hasTime(field) }),
  defaultOf: (field) => {
    const at = textIn(field.default_value);
    return at === ''
      ? undefined
      : withValue(field, { value: at.replace(' ', 'T'), is_time_displayed: hasTime(field) });
  },
});

const moments = { Reader: MomentReader, summary, defaultOf: () => undefined, ...filters };
export const subonType = simpleType('subon', moments);
export const ludType = simpleType('lud', moments);
