import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import styles from './field.module.css';

export interface SearchFieldProps {
  readonly placeholder?: string;
  readonly 'aria-label'?: string;
  readonly value: string;
  readonly onChange: (words: string) => void;
  /** Enter. */
  readonly onSubmit?: ((words: string) => void) | undefined;
  /** The button at the end, or Escape while there is something. */
  readonly onClear?: (() => void) | undefined;
  readonly autoFocus?: boolean;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly className?: string;
}

/** Of the browser's own parts, so that it is there with the page: who presses `/` and types loses no letter. */
export function SearchField(props: SearchFieldProps) {
  const { ui } = useMessages();
  const { placeholder = ui.search, value, onChange, onSubmit, onClear, autoFocus, className } = props;
  const own = useRef<HTMLInputElement>(null);
  const box = props.inputRef ?? own;
  const clear = () => {
    onChange('');
    onClear?.();
  };
  const press = (event: KeyboardEvent) => {
    // Enter and Escape of whoever writes in another script are for the words that they are offered.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && onSubmit !== undefined) {
      event.preventDefault();
      onSubmit(value);
    } else if (event.key === 'Escape' && value !== '') {
      event.preventDefault();
      event.stopPropagation();
      clear();
    } else if (event.key === 'ArrowDown' || event.key === 'Escape') {
      // From the box of a page to its rows or cards, of which one is the stop of Tab.
      const stop = ':is([data-cell],[data-card])[tabindex="0"]';
      event.currentTarget.closest('main')?.querySelector<HTMLElement>(stop)?.focus();
    }
  };
  return (
    <div className={classes(styles['field'], className)}>
      <div className={classes(styles['box'], styles['quietBox'])}>
        <Icon name="search" />
        <input
          ref={box}
          type="search"
          aria-label={props['aria-label'] ?? placeholder}
          className={styles['input']}
          placeholder={placeholder}
          // biome-ignore lint/a11y/noAutofocus: the page or list was opened to search in it
          autoFocus={autoFocus}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
        />
        {value !== '' && (
          <button
            type="button"
            tabIndex={-1}
            className={styles['clear']}
            aria-label={ui.clear}
            onClick={() => {
              clear();
              box.current?.focus();
            }}
          >
            <Icon name="x" size={14} />
          </button>
        )}
      </div>
    </div>
  );
}
