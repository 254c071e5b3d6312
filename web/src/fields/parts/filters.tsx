import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { useStanding } from '../../store/index.ts';
import { Checkbox, CheckboxGroup, SEARCHED_FROM, SearchField, Select, TextField } from '../../ui/index.ts';
import { isOfPeople } from '../abilities.ts';
import { usePeople } from '../calls.ts';
import { ChoiceMarks } from '../cells.tsx';
import { type Choice, choiceOf, NOBODY, possibleChoices } from '../choice.ts';
import { BARE, type NumberCondition, numberCondition, searchedId } from '../filter-words.ts';
import type { Criterion, FilterProps } from '../model.ts';
import { textIn } from '../model.ts';
import { hasTimes, isRelative, periodParts, usualPeriod } from '../relative-days.ts';
import { fieldTypes } from '../types.ts';
import styles from './controls.module.css';

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
  const [operator, setOperator] = useState(criterion?.operator ?? 'contains');
  const text = textIn(criterion?.value);
  const set = (next: string, value: string) => {
    setOperator(next);
    if (BARE.has(next)) onChange(bareCriterion(next));
    else onChange(value.trim() === '' ? null : { operator: next, value });
  };
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[['contains', filter.contains], ['not', filter.containsNot], ...bare]}
        onChange={(next) => set(next, text)}
      />
      {!BARE.has(operator) && (
        <TextField
          aria-label={field.label}
          autoFocus
          value={text}
          onChange={(value) => set(operator, value)}
        />
      )}
    </div>
  );
}

/** An id of something else that it refers to: nothing tells whether there is none. */
export function ReferenceFilter({ field, criterion, onChange }: FilterProps) {
  const { filter } = useOwnWords();
  const [operator, setOperator] = useState(criterion?.operator ?? 'contains');
  const text = textIn(criterion?.value);
  const set = (next: string, value: string) => {
    setOperator(next);
    onChange(value.trim() === '' ? null : { operator: next, value });
  };
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[
          ['contains', filter.is],
          ['not', filter.isNot],
        ]}
        onChange={(next) => set(next, text)}
      />
      <TextField
        aria-label={field.label}
        inputMode="numeric"
        autoFocus
        value={text}
        onChange={(value) => set(operator, value)}
      />
    </div>
  );
}

function numberCriterion({ sign, ...given }: NumberCondition): Criterion | null {
  if (BARE.has(sign)) return bareCriterion(sign);
  const first = given.first.trim().replace(',', '.');
  const second = given.second.trim().replace(',', '.');
  // What is no number would be left out of the search without a word.
  const isNumber = (text: string) => /^[+-]?\d+(?:\.\d+)?$/.test(text);
  if (!isNumber(first) || (sign === 'between' && !isNumber(second))) return null;
  if (sign === 'not') return { operator: 'not', value: first };
  const value = sign === 'between' ? `${first} - ${second}` : sign === '=' ? first : `${sign} ${first}`;
  return { operator: 'contains', value };
}

export function NumberFilter({ field, criterion, onChange }: FilterProps) {
  const { filter, bare } = useOwnWords();
  const [own, setOwn] = useState(() => numberCondition(criterion));
  const set = (next: NumberCondition) => {
    setOwn(next);
    onChange(numberCriterion(next));
  };
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={own.sign}
        operators={[
          ['=', filter.equals],
          ['not', filter.isNot],
          ['<', filter.less],
          ['<=', filter.atMost],
          ['>', filter.more],
          ['>=', filter.atLeast],
          ['between', filter.between],
          ...bare,
        ]}
        onChange={(sign) => set({ ...own, sign })}
      />
      {!BARE.has(own.sign) && (
        <TextField
          aria-label={field.label}
          inputMode="decimal"
          autoFocus
          value={own.first}
          onChange={(first) => set({ ...own, first })}
        />
      )}
      {own.sign === 'between' && (
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

type DateCondition = { readonly operator: string; readonly first: string; readonly second: string };

function dateCondition(criterion: Criterion | null): DateCondition {
  const value = criterion?.value;
  const [first = '', second = ''] = Array.isArray(value) ? value.map(String) : [textIn(value)];
  return { operator: criterion?.operator ?? '=', first, second };
}

const WITH_PERIOD = new Set(['last', 'next']);

function dateCriterion({ operator, first, second }: DateCondition): Criterion | null {
  if (BARE.has(operator)) return bareCriterion(operator);
  if (WITH_PERIOD.has(operator))
    return /^[1-9]\d{0,3}[dwmy]$/.test(first) ? { operator, value: first } : null;
  if (isRelative({ operator })) return { operator, value: '' };
  if (operator === 'between')
    return first === '' || second === '' ? null : { operator, value: [first, second] };
  return first === '' ? null : { operator, value: first };
}

/** Another operator keeps days where it takes days, and periods where it takes periods. */
function withOperator(own: DateCondition, operator: string): DateCondition {
  if (WITH_PERIOD.has(operator) !== WITH_PERIOD.has(own.operator))
    return { operator, first: WITH_PERIOD.has(operator) ? usualPeriod : '', second: '' };
  return { ...own, operator };
}

/** Days: on, before, after, between, or told from today. */
export function DateFilter({ field, criterion, onChange }: FilterProps) {
  const { filter, bare } = useOwnWords();
  const [own, setOwn] = useState(() => dateCondition(criterion));
  const { operator, first, second } = own;
  const set = (next: DateCondition) => {
    setOwn(next);
    onChange(dateCriterion(next));
  };
  // Queries know the minute that it is now, and the day only where there are no times.
  const daysFromToday: readonly (readonly [string, string])[] = [
    ['today', filter.today],
    ['past', filter.past],
  ];
  const takesDay = !BARE.has(operator) && !isRelative(own);
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[
          ['=', filter.on],
          ['not', filter.notOn],
          ['<', filter.before],
          ['>', filter.after],
          ['between', filter.between],
          ['last', filter.last],
          ['next', filter.next],
          ...(hasTimes(field) ? [] : daysFromToday),
          ...bare,
        ]}
        onChange={(next) => set(withOperator(own, next))}
      />
      {WITH_PERIOD.has(operator) && (
        <PeriodField value={first} onChange={(period) => set({ ...own, first: period })} />
      )}
      {takesDay && (
        <TextField
          aria-label={operator === 'between' ? filter.from : field.label}
          type="date"
          value={first}
          onChange={(from) => set({ ...own, first: from })}
        />
      )}
      {operator === 'between' && (
        <TextField
          aria-label={filter.to}
          type="date"
          value={second}
          onChange={(to) => set({ ...own, second: to })}
        />
      )}
    </div>
  );
}

function PeriodField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (period: string) => void;
}) {
  const { filter } = useOwnWords();
  const { count, unit } = periodParts(value);
  return (
    <div className={styles['period']}>
      <TextField
        aria-label={filter.howMany}
        inputMode="numeric"
        autoFocus
        value={count}
        onChange={(text) => onChange(`${text.replace(/\D/g, '').slice(0, 4)}${unit}`)}
      />
      <Select
        aria-label={filter.unit}
        options={PERIOD_UNITS.map((id) => ({ id, name: filter.units[id] }))}
        value={unit}
        onChange={(next) => next !== null && onChange(`${count}${next}`)}
      />
    </div>
  );
}

const PERIOD_UNITS = ['d', 'w', 'm', 'y'] as const;

function useSearched({ field, place }: FilterProps, words: string): readonly Choice[] {
  const possible = possibleChoices(field);
  const searches = isOfPeople(field) && possible.length === 0;
  const { people } = usePeople(place.projectId, words, searches);
  return searches ? people.flatMap((person) => choiceOf(person) ?? []) : possible;
}

/** Nobody reads more of them; typing finds the others. */
const MOST_SHOWN = 200;

/** No value is one of those that can be chosen. */
function listCondition(criterion: Criterion | null): {
  readonly operator: string;
  readonly ids: readonly string[];
} {
  if (criterion === null) return { operator: 'contains', ids: [] };
  if (criterion.operator === 'empty') return { operator: 'contains', ids: [NOBODY] };
  if (criterion.operator === 'filled') return { operator: 'not', ids: [NOBODY] };
  const { operator, value } = criterion;
  return { operator, ids: Array.isArray(value) ? value.map(String) : [String(value)] };
}

/** Any of several values, or none of them; people may be oneself, whoever looks. */
export function ListFilter(props: FilterProps) {
  const { field, criterion, onChange } = props;
  const { filter } = useOwnWords();
  const { fields } = useMessages();
  const { user } = useStanding();
  const [words, setWords] = useState('');
  const choices = useSearched(props, words);
  const given = listCondition(criterion);
  const [operator, setOperator] = useState(given.operator);
  const { ids: chosen } = given;
  const set = (next: string, ids: readonly string[]) => {
    setOperator(next);
    onChange(ids.length === 0 ? null : { operator: next, value: [...ids] });
  };
  const wanted = words.trim().toLocaleLowerCase();
  const seen = choices.filter((choice) =>
    `${choice.name} ${choice.login ?? ''}`.toLocaleLowerCase().includes(wanted),
  );
  const isChosen = (choice: Choice) => chosen.includes(searchedId(field, choice));
  const shown = seen.filter((choice, place) => place < MOST_SHOWN || isChosen(choice));
  const isPeople = isOfPeople(field);
  // Somebody created it, and somebody changed it last.
  const mayBeNobody = fieldTypes[field.type]?.isPerson !== true;
  return (
    <div className={styles['filter']}>
      <OperatorSelect
        operator={operator}
        operators={[
          ['contains', filter.is],
          ['not', filter.isNot],
        ]}
        onChange={(next) => set(next, chosen)}
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
        value={[...chosen]}
        onChange={(ids) => set(operator, ids)}
      >
        {isPeople && user !== null && wanted === '' && <Checkbox value="me">{fields.me}</Checkbox>}
        {wanted === '' && mayBeNobody && (
          <Checkbox value={NOBODY}>{isPeople ? fields.nobody : filter.none}</Checkbox>
        )}
        {shown.map((choice) => (
          <Checkbox key={choice.id} value={searchedId(field, choice)}>
            <ChoiceMarks choices={[choice]} />
          </Checkbox>
        ))}
      </CheckboxGroup>
      {seen.length > shown.length && (
        <p className={styles['more']}>{filter.moreValues(seen.length - shown.length)}</p>
      )}
    </div>
  );
}
