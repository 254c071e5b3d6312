import { useState } from 'react';
import { currentMessages, type Formats, useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import { Checkbox, CheckboxGroup, SEARCHED_FROM, SearchField, Select, TextField } from '../ui/index.ts';
import { usePeople } from './calls.ts';
import { ChoiceMarks } from './cells.tsx';
import { type Choice, choiceOf, isBoundToPeople, NOBODY, possibleChoices } from './choice.ts';
import styles from './controls.module.css';
import type { Criterion, Field, FilterProps } from './model.ts';
import { textIn } from './model.ts';

/** Operators that every type has beside its own: they need no value. */
const BARE = new Set(['empty', 'filled']);

function OperatorSelect({
  operator,
  operators,
  onChange,
}: {
  readonly operator: string;
  readonly operators: readonly (readonly [string, string])[];
  readonly onChange: (operator: string) => void;
}) {
  const { fields } = useMessages();
  return (
    <Select
      aria-label={fields.filter.operator}
      options={operators.map(([id, name]) => ({ id, name }))}
      value={operator}
      onChange={(id) => id !== null && onChange(id)}
    />
  );
}

function useOwnWords() {
  const { fields } = useMessages();
  const { filter } = fields;
  const bare: readonly (readonly [string, string])[] = [
    ['empty', filter.empty],
    ['filled', filter.filled],
  ];
  return { filter, bare };
}

const bareCriterion = (operator: string): Criterion => ({ operator, value: '' });

/** Texts, names of files: all words must be there. */
export function WordsFilter({ field, criterion, onChange }: FilterProps) {
  const { filter, bare } = useOwnWords();
  const operator = criterion?.operator ?? 'contains';
  const set = (next: string, value: string) => {
    if (BARE.has(next)) onChange(bareCriterion(next));
    else onChange(value.trim() === '' ? null : { operator: next, value });
  };
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[['contains', filter.contains], ...bare]}
        onChange={(next) => set(next, textIn(criterion?.value))}
      />
      {!BARE.has(operator) && (
        <TextField
          aria-label={field.label}
          autoFocus
          value={textIn(criterion?.value)}
          onChange={(value) => set('contains', value)}
        />
      )}
    </div>
  );
}

export function wordsFilterWords(_field: Field, { operator, value }: Criterion): string {
  const { filter } = currentMessages().fields;
  if (operator === 'empty') return filter.empty;
  if (operator === 'filled') return filter.filled;
  return `${operator === 'not' ? filter.isNot : filter.contains} ${String(value)}`;
}

const NUMBER = /^(<=?|>=?)?\s*(-?\d+(?:\.\d+)?)(?:\s*-\s*(-?\d+(?:\.\d+)?))?$/;

type NumberCondition = { readonly sign: string; readonly first: string; readonly second: string };

function numberCondition(criterion: Criterion | null): NumberCondition {
  const text = String(criterion?.value ?? '');
  const [, sign = '', first = '', second] = NUMBER.exec(text) ?? [];
  if (second !== undefined) return { sign: 'between', first, second };
  return { sign: sign === '' ? '=' : sign, first: first || (NUMBER.test(text) ? '' : text), second: '' };
}

export function NumberFilter({ field, criterion, onChange }: FilterProps) {
  const { filter, bare } = useOwnWords();
  const [own, setOwn] = useState(numberCondition(criterion));
  const operator = criterion !== null && BARE.has(criterion.operator) ? criterion.operator : own.sign;
  const set = (next: NumberCondition) => {
    setOwn(next);
    const first = next.first.trim().replace(',', '.');
    const second = next.second.trim().replace(',', '.');
    if (BARE.has(next.sign)) return onChange(bareCriterion(next.sign));
    if (first === '' || (next.sign === 'between' && second === '')) return onChange(null);
    const value =
      next.sign === 'between' ? `${first} - ${second}` : next.sign === '=' ? first : `${next.sign} ${first}`;
    onChange({ operator: 'contains', value });
  };
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[
          ['=', filter.equals],
          ['<', filter.less],
          ['>', filter.more],
          ['between', filter.between],
          ...bare,
        ]}
        onChange={(sign) => set({ ...own, sign })}
      />
      {!BARE.has(operator) && (
        <TextField
          aria-label={field.label}
          inputMode="decimal"
          autoFocus
          value={own.first}
          onChange={(first) => set({ ...own, first })}
        />
      )}
      {operator === 'between' && (
        <TextField
          aria-label={filter.and}
          inputMode="decimal"
          value={own.second}
          onChange={(second) => set({ ...own, second })}
        />
      )}
    </div>
  );
}

export function numberFilterWords(field: Field, criterion: Criterion): string {
  if (BARE.has(criterion.operator)) return wordsFilterWords(field, criterion);
  const { filter } = currentMessages().fields;
  const { sign, first, second } = numberCondition(criterion);
  if (sign === 'between') return `${filter.between} ${first} ${filter.and} ${second}`;
  const words = { '=': filter.equals, '<': filter.less, '>': filter.more }[sign] ?? sign;
  return `${words} ${first}`;
}

/** Days: on, before, after, between. */
export function DateFilter({ field, criterion, onChange }: FilterProps) {
  const { filter, bare } = useOwnWords();
  const value = criterion?.value;
  const [first = '', second = ''] = Array.isArray(value) ? value.map(String) : [textIn(value)];
  const operator = criterion?.operator ?? '=';
  const set = (next: string, from: string, to: string) => {
    if (BARE.has(next)) onChange(bareCriterion(next));
    else if (next === 'between') onChange({ operator: next, value: [from, to] });
    else onChange(from === '' && next === operator ? null : { operator: next, value: from });
  };
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[
          ['=', filter.on],
          ['<', filter.before],
          ['>', filter.after],
          ['between', filter.between],
          ...bare,
        ]}
        onChange={(next) => set(next, first, second)}
      />
      {!BARE.has(operator) && (
        <TextField
          aria-label={operator === 'between' ? filter.from : field.label}
          type="date"
          value={first}
          onChange={(from) => set(operator, from, second)}
        />
      )}
      {operator === 'between' && (
        <TextField
          aria-label={filter.to}
          type="date"
          value={second}
          onChange={(to) => set(operator, first, to)}
        />
      )}
    </div>
  );
}

export function dateFilterWords(field: Field, criterion: Criterion, formats: Formats): string {
  if (BARE.has(criterion.operator)) return wordsFilterWords(field, criterion);
  const { filter } = currentMessages().fields;
  const { operator, value } = criterion;
  if (Array.isArray(value))
    return `${filter.between} ${value.map((day) => formats.day(String(day))).join(` ${filter.and} `)}`;
  const words = { '<': filter.before, '>': filter.after }[operator] ?? filter.on;
  return `${words} ${formats.day(String(value))}`;
}

/** The id by which a search knows a value: groups have another one there, open lists letters in front. */
function searchedId(field: Field, choice: Choice): string {
  const bindId = choice.source['bind_value_id'];
  if (bindId !== undefined) return String(bindId);
  return field.type === 'tbl' && /^\d+$/.test(choice.id) && field.bindings.type === 'static'
    ? `b${choice.id}`
    : choice.id;
}

function useSearched({ field, place }: FilterProps, words: string): readonly Choice[] {
  const possible = possibleChoices(field);
  const searches = isBoundToPeople(field) && possible.length === 0;
  const { people } = usePeople(place.projectId, words, searches);
  return searches ? people.flatMap((person) => choiceOf(person) ?? []) : possible;
}

/** Any of several values, or none of them; people may be oneself, whoever looks. */
export function ListFilter(props: FilterProps) {
  const { field, criterion, onChange } = props;
  const { filter } = useOwnWords();
  const { fields } = useMessages();
  const { user } = useStanding();
  const [words, setWords] = useState('');
  const choices = useSearched(props, words);
  const operator = criterion?.operator ?? 'contains';
  const chosen = Array.isArray(criterion?.value) ? criterion.value.map(String) : [];
  const set = (next: string, ids: readonly string[]) =>
    onChange(ids.length === 0 ? null : { operator: next, value: [...ids] });
  const wanted = words.trim().toLocaleLowerCase();
  const seen = choices.filter((choice) =>
    `${choice.name} ${choice.login ?? ''}`.toLocaleLowerCase().includes(wanted),
  );
  const isPeople = isBoundToPeople(field);
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[
          ['contains', filter.is],
          ['not', filter.isNot],
        ]}
        onChange={(next) =>
          chosen.length === 0 ? onChange({ operator: next, value: [] }) : set(next, chosen)
        }
      />
      {(choices.length >= SEARCHED_FROM || isPeople) && (
        <SearchField
          autoFocus
          placeholder={isPeople ? fields.searchPeople : fields.searchValues}
          value={words}
          onChange={setWords}
        />
      )}
      <CheckboxGroup
        aria-label={field.label}
        className={styles['values']}
        value={chosen}
        onChange={(ids) => set(operator, ids)}
      >
        {isPeople && user !== null && wanted === '' && <Checkbox value="me">{fields.me}</Checkbox>}
        {wanted === '' && <Checkbox value={NOBODY}>{isPeople ? fields.nobody : filter.none}</Checkbox>}
        {seen.map((choice) => (
          <Checkbox key={choice.id} value={searchedId(field, choice)}>
            <ChoiceMarks choices={[choice]} />
          </Checkbox>
        ))}
      </CheckboxGroup>
    </div>
  );
}

export function listFilterWords(field: Field, { operator, value }: Criterion, formats: Formats): string {
  const { fields } = currentMessages();
  const { filter } = fields;
  if (BARE.has(operator)) return wordsFilterWords(field, { operator, value });
  const choices = possibleChoices(field);
  const isPeople = isBoundToPeople(field);
  const nameOf = (id: string) => {
    if (id === 'me') return fields.me;
    if (id === NOBODY) return isPeople ? fields.nobody : filter.none;
    return choices.find((choice) => searchedId(field, choice) === id)?.name ?? id;
  };
  const ids = Array.isArray(value) ? value.map(String) : [String(value)];
  return `${operator === 'not' ? filter.isNot : filter.is} ${formats.list(ids.map(nameOf))}`;
}
