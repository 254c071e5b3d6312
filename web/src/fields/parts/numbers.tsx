import { useEffect, useState } from 'react';
import { useFormats, useMessages } from '../../messages/index.ts';
import { Button, EmptyDash, TextField } from '../../ui/index.ts';
import { SecondWords } from '../cells.tsx';
import { type ControlProps, numberIn, type ReaderProps, withValue } from '../model.ts';

export function NumberReader({ value }: ReaderProps) {
  const formats = useFormats();
  const number = numberIn(value?.['value']);
  return number === null ? <EmptyDash /> : <span>{formats.number(number)}</span>;
}

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Takes `,` and `.` alike, and spaces between digits. */
const plain = (typed: string): string => typed.replace(/[\s\u202f\u00a0]/g, '').replace(',', '.');

type NumberBoxProps = Omit<ControlProps, 'value' | 'onChange' | 'place'> & {
  readonly number: number | null;
  readonly isWhole: boolean;
  readonly onNumber: (number: number | null) => void;
};

/** What is typed stays as it was typed; the arrows count. */
function NumberBox(props: NumberBoxProps) {
  const { field, number, isWhole, onNumber, label, fault, isRequired, autoFocus, onSend, onEscape } = props;
  const { fields } = useMessages();
  const [typed, setTyped] = useState(number === null ? '' : String(number));
  useEffect(() => {
    setTyped((before) =>
      numberIn(plain(before)) === number ? before : number === null ? '' : String(number),
    );
  }, [number]);
  const isNumber = (text: string) => (isWhole ? WHOLE : DECIMAL).test(text);
  const type = (text: string) => {
    setTyped(text);
    const given = plain(text);
    if (given === '') onNumber(null);
    else if (isNumber(given)) onNumber(Number(given));
  };
  const wrong = plain(typed) !== '' && !isNumber(plain(typed));
  return (
    <TextField
      {...(label === undefined ? { 'aria-label': field.label } : { label })}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={typed}
      onChange={type}
      fault={fault ?? (wrong ? (isWhole ? fields.notAWholeNumber : fields.notANumber) : null)}
      isRequired={isRequired ?? false}
      autoFocus={autoFocus ?? false}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown')
          type(String((number ?? 0) + (event.key === 'ArrowUp' ? 1 : -1)));
        else if (event.key === 'Enter' && onSend) onSend();
        else if (event.key === 'Escape' && onEscape) onEscape();
        else event.continuePropagation();
      }}
    />
  );
}

const controlFor = (isWhole: boolean) =>
  function NumberControl({ value, onChange, ...rest }: ControlProps) {
    return (
      <NumberBox
        {...rest}
        isWhole={isWhole}
        number={numberIn(value?.['value'])}
        onNumber={(number) => onChange(withValue(rest.field, { value: number }))}
      />
    );
  };

export function ComputedReader({ value }: ReaderProps) {
  const formats = useFormats();
  const { fields } = useMessages();
  const isSum = value?.['is_autocomputed'] !== false;
  const number = numberIn(value?.[isSum ? 'value' : 'manual_value']);
  if (number === null) return <EmptyDash />;
  return (
    <span>
      {formats.number(number)} <SecondWords>{isSum ? fields.sumOfLinked : fields.byHand}</SecondWords>
    </span>
  );
}

export function ComputedControl({ field, value, onChange, ...rest }: ControlProps) {
  const { fields } = useMessages();
  const isSum = value?.['is_autocomputed'] !== false;
  const set = (number: number | null) =>
    onChange(withValue(field, { ...value, is_autocomputed: number === null, manual_value: number }));
  return (
    <>
      <NumberBox
        {...rest}
        field={field}
        isWhole={false}
        number={isSum ? null : numberIn(value?.['manual_value'])}
        onNumber={set}
      />
      {!isSum && (
        <Button kind="quiet" size="small" onPress={() => set(null)}>
          {fields.backToTheSum}
        </Button>
      )}
    </>
  );
}

export const WholeControl = controlFor(true);
export const DecimalControl = controlFor(false);
