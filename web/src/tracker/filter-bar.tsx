import type { Tracker } from '@atelier/client/routes';
import { useRef, useState } from 'react';
import { type Field, fieldTypes } from '../fields/index.ts';
import type { Filter } from '../kernel/filters.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import { Button, FilterChip, Menu, MenuItem, MenuSection, Popover } from '../ui/index.ts';
import styles from './bar.module.css';
import { useFilterKeys } from './keys.ts';
import { quickFilters } from './quick-filters.ts';
import { criterionOf, fieldNamed, filterFields, filterOf, isUnreadable } from './view.ts';

export interface FiltersProps {
  readonly tracker: Tracker;
  readonly filters: readonly Filter[];
  readonly onChange: (filters: readonly Filter[]) => void;
  readonly onSearch: () => void;
}

/** Conditions as chips; each is changed where it stands. */
export function Filters({ tracker, filters, onChange, onSearch }: FiltersProps) {
  const [edited, setEdited] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const known = filters.flatMap((filter): { field: Field; filter: Filter | undefined }[] => {
    const field = fieldNamed(tracker, filter.name);
    return field === undefined ? [] : [{ filter, field }];
  });
  /** A field that was just chosen has a chip before it has a value. */
  const added =
    edited === undefined || known.some(({ field }) => field.name === edited)
      ? undefined
      : fieldNamed(tracker, edited);
  const chips = added === undefined ? known : [...known, { field: added, filter: undefined }];
  useFilterKeys({
    addFilter: () => setAdding(true),
    clearFilters: () => onChange([]),
    search: onSearch,
  });
  const put = (name: string, filter: Filter | undefined) => {
    const isThere = filters.some((one) => one.name === name);
    if (filter === undefined) onChange(filters.filter((one) => one.name !== name));
    else onChange(isThere ? filters.map((one) => (one.name === name ? filter : one)) : [...filters, filter]);
  };
  return (
    <>
      {chips.map(({ filter, field }) => (
        <EditableChip
          key={field.name}
          tracker={tracker}
          field={field}
          filter={filter}
          isOpen={edited === field.name}
          onOpenChange={(isOpen) => setEdited(isOpen ? field.name : undefined)}
          onChange={(next) => put(field.name, next)}
        />
      ))}
      <AddFilter
        tracker={tracker}
        isOpen={isAdding}
        onOpenChange={setAdding}
        onChoose={(name) => setEdited(name)}
        onQuick={(filter) => put(filter.name, filter)}
      />
    </>
  );
}

interface EditableChipProps {
  readonly tracker: Tracker;
  readonly field: Field;
  readonly filter: Filter | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onChange: (filter: Filter | undefined) => void;
}

function EditableChip({ tracker, field, filter, isOpen, onOpenChange, onChange }: EditableChipProps) {
  const { tracker: words, fields } = useMessages();
  const anchor = useRef<HTMLSpanElement>(null);
  const text = useFilterWords(field, filter);
  const type = fieldTypes[field.type];
  const criterion = filter === undefined ? null : criterionOf(field, filter);
  const [operator, value] = partsOf(
    text,
    Object.values(fields.filter).filter((words) => typeof words === 'string'),
  );
  return (
    <span ref={anchor} className={styles['chip']}>
      <FilterChip
        field={field.label}
        operator={operator}
        value={value}
        isWrong={filter !== undefined && isUnreadable(field, filter)}
        label={words.changeFilter(`${field.label} ${text}`)}
        onPress={() => onOpenChange(true)}
        {...(filter === undefined ? {} : { onRemove: () => onChange(undefined) })}
      />
      {type?.Filter !== undefined && (
        <Popover
          label={`${words.filterBy} ${field.label}`}
          anchor={anchor}
          isOpen={isOpen}
          onOpenChange={onOpenChange}
        >
          <type.Filter
            field={field}
            criterion={criterion}
            onChange={(next) => onChange(next === null ? undefined : filterOf(field.name, next))}
            place={{ projectId: tracker.project.id, tracker }}
          />
        </Popover>
      )}
    </span>
  );
}

function useFilterWords(field: Field, filter: Filter | undefined): string {
  const formats = useFormats();
  if (filter === undefined) return '…';
  const criterion = criterionOf(field, filter);
  return fieldTypes[field.type]?.filterWords?.(field, criterion, formats) ?? filter.values.join(', ');
}

/** What stands back, and what is read first: `is not`, `Closed`. */
function partsOf(text: string, operators: readonly string[]): readonly [string, string] {
  const fitting = operators.filter((operator) => text.startsWith(`${operator} `));
  const [operator = ''] = fitting.sort((one, other) => other.length - one.length);
  return [operator, text.slice(operator.length).trim()];
}

/** All filters in one sentence, for those that found nothing. */
export function useFiltersInWords(tracker: Tracker, filters: readonly Filter[]): string {
  const formats = useFormats();
  const words = filters.flatMap((filter) => {
    const field = fieldNamed(tracker, filter.name);
    if (field === undefined) return [];
    const said = fieldTypes[field.type]?.filterWords?.(field, criterionOf(field, filter), formats);
    return [`${field.label} ${said ?? filter.values.join(', ')}`];
  });
  return formats.list(words);
}

const searchedFrom = 8;

const quick = 'quick:';

function AddFilter({
  tracker,
  isOpen,
  onOpenChange,
  onChoose,
  onQuick,
}: {
  readonly tracker: Tracker;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onChoose: (name: string) => void;
  readonly onQuick: (filter: Filter) => void;
}) {
  const { tracker: words } = useMessages();
  const { user } = useStanding();
  const fields = filterFields(tracker);
  const quicks = quickFilters(tracker, user !== null);
  const choose = (key: string) => {
    const chosen = quicks.find(({ name }) => `${quick}${name}` === key);
    if (chosen === undefined) onChoose(key.slice(1));
    else onQuick(chosen.filter);
  };
  return (
    <Menu
      aria-label={words.filterBy}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      search={fields.length >= searchedFrom ? words.searchFields : undefined}
      onAction={(key) => choose(String(key))}
      trigger={
        <Button kind="quiet" size="small" icon="plus">
          {words.addFilter}
        </Button>
      }
    >
      {quicks.length > 0 && (
        <MenuSection name={words.quickFilters}>
          {quicks.map(({ name }) => (
            <MenuItem key={name} id={`${quick}${name}`}>
              {words.quick[name]}
            </MenuItem>
          ))}
        </MenuSection>
      )}
      <MenuSection name={words.filterFields}>
        {fields.map((field) => (
          <MenuItem key={field.name} id={`=${field.name}`}>
            {field.label}
          </MenuItem>
        ))}
      </MenuSection>
    </Menu>
  );
}
