import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { ButtonContext, ComboBox, Group, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Chip, type Colour } from '../marks/marks.tsx';
import overlays from '../overlays/overlays.module.css';
import fieldStyles from './field.module.css';
import { FieldFeet, FieldLabel, type FieldWords, isRefused } from './field.tsx';
import type { Option } from './option.ts';
import styles from './select.module.css';

export type Token = { id: string; name: string; colour?: Colour };

export type TokenFieldProps = FieldWords & {
  value: readonly Token[];
  onChange: (tokens: Token[]) => void;
  options: readonly (Option & { colour?: Colour })[];
  /** Makes a token of words that are no option; without it only options can be chosen. */
  create?: ((name: string) => Token) | undefined;
  onSearch?: ((words: string) => void) | undefined;
  /** Where no list is open that it closes. */
  onEscape?: (() => void) | undefined;
  placeholder?: string;
  'aria-label'?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
  className?: string;
};

const NEW = 'new:';

/** Words that are completed while one types: labels, open lists, people. */
export function TokenField(props: TokenFieldProps) {
  const { label, help, fault, value, onChange, options, create, onSearch, onEscape, ...others } = props;
  const { placeholder, className, ...rest } = others;
  const { ui } = useMessages();
  const [words, setWords] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const type = (typed: string) => {
    setWords(typed);
    onSearch?.(typed);
  };
  const offered = offeredOptions(options, value, words, onSearch === undefined);
  const name = words.trim();
  const isNew = create !== undefined && name !== '' && !isNamed([...options, ...value], name);
  const add = (id: string) => {
    const option = options.find((one) => one.id === id);
    if (id.startsWith(NEW) && create) onChange([...value, create(name)]);
    else if (option) onChange([...value, { id: option.id, name: option.name, colour: option.colour }]);
    type('');
  };
  /** Whoever goes on without choosing meant what they typed. */
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Element && relatedTarget.closest('[role=listbox]') !== null) return;
    const meant = offered.find((option) => isNamed([option], name));
    if (isNew) add(`${NEW}${name}`);
    else if (meant !== undefined) add(meant.id);
  };
  const remove = (id: string) => {
    onChange(value.filter((other) => other.id !== id));
    // The button that was pressed is gone with it.
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && words === '' && value.length > 0) onChange(value.slice(0, -1));
    if (event.key === 'Escape' && event.currentTarget.getAttribute('aria-expanded') !== 'true') onEscape?.();
  };
  return (
    <ComboBox
      {...rest}
      aria-label={label ?? rest['aria-label'] ?? ''}
      className={classes(fieldStyles['field'], className)}
      isInvalid={isRefused(fault)}
      validationBehavior="aria"
      menuTrigger="focus"
      allowsCustomValue
      // What is looked for may come after the words were typed: a list that is open then shows it.
      allowsEmptyCollection={onSearch !== undefined && words !== ''}
      inputValue={words}
      onInputChange={type}
      value={null}
      onChange={(key) => key !== null && add(String(key))}
      defaultFilter={() => true}
    >
      {label !== undefined && <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>}
      <Group className={classes(fieldStyles['box'], styles['tokens'])}>
        {/* Any button inside would be the one that opens the list. */}
        <ButtonContext value={null}>
          {value.map((token) => (
            <Chip key={token.id} colour={token.colour} onRemove={() => remove(token.id)}>
              {token.name}
            </Chip>
          ))}
        </ButtonContext>
        <Input
          ref={input}
          placeholder={value.length === 0 ? placeholder : ''}
          onKeyDown={press}
          onBlur={leave}
        />
      </Group>
      <FieldFeet help={help} fault={fault} />
      <Popover className={classes(overlays['popover'], overlays['menuPopover'])} offset={4}>
        <ListBox
          className={overlays['menu'] ?? ''}
          renderEmptyState={() => <div className={overlays['empty']}>{ui.nothingFound}</div>}
        >
          {offered.map((option) => (
            <ListBoxItem
              key={option.id}
              id={option.id}
              textValue={option.name}
              className={overlays['item'] ?? ''}
            >
              {option.mark}
              <span className={overlays['words']}>{option.name}</span>
              {option.second !== undefined && <span className={overlays['second']}>{option.second}</span>}
            </ListBoxItem>
          ))}
          {isNew && (
            // With each letter it is another item: one that is there may not get another id.
            <ListBoxItem
              key={`${NEW}${name}`}
              id={`${NEW}${name}`}
              textValue={name}
              className={overlays['item'] ?? ''}
            >
              <span className={overlays['words']}>{ui.create(name)}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function isNamed(all: readonly { name: string }[], name: string): boolean {
  return all.some((one) => one.name.localeCompare(name, undefined, { sensitivity: 'accent' }) === 0);
}

function offeredOptions<T extends Option>(
  options: readonly T[],
  chosen: readonly Token[],
  words: string,
  filters: boolean,
): T[] {
  const wanted = words.trim().toLocaleLowerCase();
  const isFree = (option: T) => !chosen.some((token) => token.id === option.id);
  const isLike = (option: T) =>
    !filters || `${option.name} ${option.second ?? ''}`.toLocaleLowerCase().includes(wanted);
  return options.filter((option) => isFree(option) && isLike(option)).slice(0, 50);
}
