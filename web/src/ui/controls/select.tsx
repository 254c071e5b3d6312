import { type ReactNode, type UIEvent, useState } from 'react';
import {
  Button as AriaButton,
  Select as AriaSelect,
  Autocomplete,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import overlays from '../overlays/overlays.module.css';
import fieldStyles from './field.module.css';
import { FieldFeet, FieldLabel, type FieldWords, isRefused } from './field.tsx';
import { type Option, SEARCHED_FROM } from './option.ts';
import styles from './select.module.css';

type Searching = {
  /** What is searched, as the words in the box. */
  searchWords?: string;
  isSearched?: boolean;
  /** Where the options come from somewhere else: told what was typed. */
  onSearch?: ((words: string) => void) | undefined;
  isLoading?: boolean;
};

type Common = FieldWords &
  Searching & {
    options: readonly Option[];
    /** Names of chosen ones that may not be among the options. */
    known?: readonly Option[];
    placeholder?: string | undefined;
    'aria-label'?: string;
    isDisabled?: boolean;
    isRequired?: boolean;
    isOpen?: boolean | undefined;
    onOpenChange?: ((isOpen: boolean) => void) | undefined;
    autoFocus?: boolean;
    size?: 'medium' | 'large';
    /** `value` has no edge until it is pointed at: for values in tables and on pages. */
    look?: 'field' | 'value';
    className?: string | undefined;
  };

export type SelectProps = Common & {
  value: string | null;
  onChange: (id: string | null) => void;
  /** Offers to choose nothing, in these words; `true` for the usual ones. */
  none?: string | boolean;
};

const NONE = '';

export function Select(props: SelectProps) {
  const { value, onChange, none = false, options, known = [], placeholder } = props;
  const { ui } = useMessages();
  const noneName = none === true ? ui.none : none;
  const all = noneName === false ? options : [{ id: NONE, name: noneName }, ...options];
  const list = useDrawn(all, props);
  const chosen = [...options, ...known].find((option) => option.id === value);
  const content = chosen ? (
    <Shown option={chosen} />
  ) : (
    <span className={styles['placeholder']}>{placeholder ?? (noneName || ui.choose)}</span>
  );
  return (
    <AriaSelect
      {...selectProps(props)}
      onOpenChange={list.open}
      value={value ?? (noneName === false ? null : NONE)}
      onChange={(key) => onChange(key === NONE || key === null ? null : String(key))}
    >
      <Inside {...props} list={list} content={content} />
    </AriaSelect>
  );
}

export type MultiSelectProps = Common & {
  value: readonly string[];
  onChange: (ids: string[]) => void;
};

/** Several of a list, each with a box; stays open while one chooses. */
export function MultiSelect(props: MultiSelectProps) {
  const { value, onChange, options, known = [], placeholder } = props;
  const { ui } = useMessages();
  const list = useDrawn(options, props);
  const all = [...options, ...known];
  const chosen = value.flatMap((id) => all.find((option) => option.id === id) ?? []);
  const content =
    chosen.length === 0 ? (
      <span className={styles['placeholder']}>{placeholder ?? ui.none}</span>
    ) : (
      chosen.map((option, place) => (
        <Shown key={option.id} option={option} isLast={place === chosen.length - 1} />
      ))
    );
  return (
    <AriaSelect
      {...selectProps(props)}
      selectionMode="multiple"
      onOpenChange={list.open}
      value={[...value]}
      onChange={(keys) => onChange(keys.map(String))}
    >
      <Inside {...props} list={list} content={content} isMultiple />
    </AriaSelect>
  );
}

const textOf = ({ name, second }: Option) => (second === undefined ? name : `${name} ${second}`);

/** A thousand at once would take seconds: more are drawn as one comes to the end of these. */
const drawnAtOnce = 100;

interface DrawnOptions {
  readonly options: readonly Option[];
  readonly isSearched: boolean;
  readonly search: (words: string) => void;
  readonly scroll: (event: UIEvent) => void;
  readonly open: (isOpen: boolean) => void;
}

/** Those of a list that are drawn. They are known above the list, which is drawn twice: to be counted, and to be seen. */
function useDrawn(
  all: readonly Option[],
  { isSearched, onSearch, onOpenChange }: Pick<Common, 'isSearched' | 'onSearch' | 'onOpenChange'>,
): DrawnOptions {
  const { contains } = useFilter({ sensitivity: 'base', ignorePunctuation: true });
  const [words, setWords] = useState('');
  const [drawn, setDrawn] = useState(drawnAtOnce);
  const find = (typed: string) => {
    setWords(typed);
    setDrawn(drawnAtOnce);
  };
  const found = words === '' ? all : all.filter((option) => contains(textOf(option), words));
  return {
    options: found.slice(0, drawn),
    isSearched: isSearched ?? (onSearch !== undefined || all.length >= SEARCHED_FROM),
    search: onSearch ?? find,
    scroll: ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
      const isNearEnd = scrollTop + 2 * clientHeight > scrollHeight;
      if (isNearEnd && drawn < found.length) setDrawn(drawn + drawnAtOnce);
    },
    open: (isOpen) => {
      if (!isOpen) find('');
      onOpenChange?.(isOpen);
    },
  };
}

function selectProps({ fault, className, isDisabled, isRequired, isOpen, autoFocus, size, ...rest }: Common) {
  return {
    'aria-label': rest.label ?? rest['aria-label'] ?? '',
    isDisabled: isDisabled ?? false,
    isRequired: isRequired ?? false,
    isInvalid: isRefused(fault),
    validationBehavior: 'aria' as const,
    allowsEmptyCollection: true,
    isOpen,
    autoFocus: autoFocus ?? false,
    className: classes(
      fieldStyles['field'],
      styles['select'],
      size === 'large' && fieldStyles['large'],
      rest.look === 'value' && styles['valueLook'],
      className,
    ),
  };
}

function Shown({ option, isLast = true }: { option: Option; isLast?: boolean }) {
  return (
    <span className={styles['shown']}>
      {option.mark}
      <span className={styles['name']}>
        {option.name}
        {!isLast && option.mark === undefined && ','}
      </span>
    </span>
  );
}

function Inside(props: Common & { list: DrawnOptions; content: ReactNode; isMultiple?: boolean }) {
  const { label, help, fault, isRequired, content, isMultiple = false, look = 'field' } = props;
  return (
    <>
      {label !== undefined && <FieldLabel isRequired={isRequired}>{label}</FieldLabel>}
      <AriaButton
        className={classes(look === 'field' ? fieldStyles['box'] : styles['value'], styles['button'])}
      >
        <span className={styles['content']}>{content}</span>
        <Icon name="chevron-down" size={14} className={styles['chevron'] ?? ''} />
      </AriaButton>
      <FieldFeet help={help} fault={fault} />
      <Popover className={classes(overlays['popover'], overlays['menuPopover'])} offset={4}>
        <OptionList {...props} isMultiple={isMultiple} />
      </Popover>
    </>
  );
}

function OptionList(props: Searching & { list: DrawnOptions; isMultiple: boolean }) {
  const { list, isMultiple, searchWords, isLoading = false } = props;
  const { ui } = useMessages();
  const entries = (
    <Options list={list} isMultiple={isMultiple} emptyWords={isLoading ? ui.loading : ui.nothingFound} />
  );
  if (!list.isSearched) return entries;
  const words = searchWords ?? ui.search;
  return (
    <Autocomplete onInputChange={list.search}>
      <SearchField aria-label={words} autoFocus className={overlays['menuSearch'] ?? ''}>
        <Icon name="search" />
        <Input placeholder={words} />
      </SearchField>
      {entries}
    </Autocomplete>
  );
}

function Options({
  list: { options, scroll },
  isMultiple,
  emptyWords,
}: {
  list: DrawnOptions;
  isMultiple: boolean;
  emptyWords: string;
}) {
  const sections = [...new Set(options.map((option) => option.section ?? ''))];
  const entry = (option: Option) => <OptionEntry key={option.id} option={option} isMultiple={isMultiple} />;
  return (
    <ListBox
      // Escape closes; what was chosen stays.
      escapeKeyBehavior="none"
      onScroll={scroll}
      className={overlays['menu'] ?? ''}
      renderEmptyState={() => <div className={overlays['empty']}>{emptyWords}</div>}
    >
      {sections.length < 2
        ? options.map(entry)
        : sections.map((section) => (
            <ListBoxSection key={section} {...(section === '' ? { 'aria-label': emptyWords } : {})}>
              {section !== '' && <Header className={overlays['sectionName'] ?? ''}>{section}</Header>}
              {options.filter((option) => (option.section ?? '') === section).map(entry)}
            </ListBoxSection>
          ))}
    </ListBox>
  );
}

function OptionEntry({ option, isMultiple }: { option: Option; isMultiple: boolean }) {
  const { id, name, mark, second, reasonNot } = option;
  const refused = reasonNot !== undefined && reasonNot !== null;
  return (
    <ListBoxItem id={id} textValue={textOf(option)} isDisabled={refused} className={overlays['item'] ?? ''}>
      {({ isSelected }) => (
        <>
          {isMultiple && (
            <span className={styles['box']} data-selected={isSelected || undefined}>
              {isSelected && <Icon name="check" size={14} />}
            </span>
          )}
          {mark}
          <span className={classes(overlays['words'], id === NONE && styles['placeholder'])}>{name}</span>
          {(refused || second !== undefined) && (
            <span className={overlays['second']}>{reasonNot ?? second}</span>
          )}
          {!isMultiple && isSelected && <Icon name="check" className={overlays['check'] ?? ''} />}
        </>
      )}
    </ListBoxItem>
  );
}
