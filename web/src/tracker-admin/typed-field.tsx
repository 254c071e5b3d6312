import { type KeyboardEvent, type Ref, useState } from 'react';
import { LeaveGuard } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import { TextArea, TextField } from '../ui/index.ts';

export interface TypedFieldProps {
  readonly label?: string;
  readonly 'aria-label'?: string;
  readonly help?: string | undefined;
  readonly value: string;
  /**
   * Throws what is wrong with it: then it stays as it was typed, with these words below. `replaced`: the value that was seen when one began to
   * type; that of others may have come since.
   */
  onStore(value: string, replaced: string): Promise<unknown>;
  readonly isLong?: boolean;
  readonly type?: 'text' | 'date' | 'number';
  readonly className?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Ctrl, Shift or Alt with another key. */
  onKeys?(event: KeyboardEvent): void;
}

/** What is typed is stored when one goes on: by Enter, or by leaving it. Escape takes it back. */
export function TypedField(props: TypedFieldProps) {
  const {
    value,
    onStore,
    isLong = false,
    type = 'text',
    inputRef,
    onKeys,
    help,
    className,
    ...words
  } = props;
  const [typed, setTyped] = useState<string>();
  /** What was there when one began to type, or was told of a fault. */
  const [replaced, setReplaced] = useState<string>();
  const [fault, setFault] = useState<string | null>(null);
  const forget = () => {
    setTyped(undefined);
    setReplaced(undefined);
    setFault(null);
  };
  const store = async () => {
    if (typed === undefined || typed === value) return forget();
    try {
      await onStore(typed, replaced ?? value);
      setTyped((now) => (now === typed ? undefined : now));
      setFault(null);
    } catch (error) {
      setFault(wordsOfError(error));
    }
    setReplaced(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    onKeys?.(event);
    if (event.key === 'Enter' && (!isLong || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void store();
    }
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      forget();
    }
  };
  const common = {
    ...words,
    ...(help === undefined ? {} : { help }),
    ...(className === undefined ? {} : { className }),
    value: typed ?? value,
    onChange: (text: string) => {
      setTyped(text);
      setReplaced((known) => known ?? value);
    },
    onBlur: () => void store(),
    onKeyDown,
    fault,
  };
  return (
    <>
      {fault !== null && <LeaveGuard isNeeded />}
      {isLong ? (
        <TextArea {...common} rows={3} />
      ) : (
        <TextField {...common} type={type} {...(inputRef === undefined ? {} : { inputRef })} />
      )}
    </>
  );
}
