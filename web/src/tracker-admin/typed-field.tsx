import { type KeyboardEvent, type Ref, useState } from 'react';
import { wordsOfError } from '../store/index.ts';
import { TextArea, TextField } from '../ui/index.ts';

export interface TypedFieldProps {
  readonly label?: string;
  readonly 'aria-label'?: string;
  readonly help?: string | undefined;
  readonly value: string;
  /** Throws what is wrong with it: then it stays as it was typed, with these words below. */
  onStore(value: string): Promise<unknown>;
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
  const [fault, setFault] = useState<string | null>(null);
  const store = async () => {
    if (typed === undefined || typed === value) {
      setTyped(undefined);
      setFault(null);
      return;
    }
    try {
      await onStore(typed);
      setTyped((now) => (now === typed ? undefined : now));
      setFault(null);
    } catch (error) {
      setFault(wordsOfError(error));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    onKeys?.(event);
    if (event.key === 'Enter' && (!isLong || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void store();
    }
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      setTyped(undefined);
      setFault(null);
    }
  };
  const common = {
    ...words,
    ...(help === undefined ? {} : { help }),
    ...(className === undefined ? {} : { className }),
    value: typed ?? value,
    onChange: setTyped,
    onBlur: () => void store(),
    onKeyDown,
    fault,
  };
  if (isLong) return <TextArea {...common} rows={3} />;
  return <TextField {...common} type={type} {...(inputRef === undefined ? {} : { inputRef })} />;
}
