import { useEffect, useState } from 'react';
import { usePeople } from '../fields/index.ts';
import type { BuiltCondition } from '../kernel/built-query.ts';
import { type QueryOperator, queryOperators } from '../kernel/query.ts';
import { quoted } from '../kernel/quoted.ts';
import { useMessages } from '../messages/index.ts';
import { MultiSelect, type Option, Select, TextField } from '../ui/index.ts';
import type { Knowledge } from './help.ts';
import { operatorsFor, type QueryName, valuesFor } from './names.ts';
import styles from './queries.module.css';

type Compared = BuiltCondition & { readonly is: 'comparison' };

const isList = (operator: QueryOperator) => operator === 'IN' || operator === 'NOT IN';

/** What a new name begins with. */
function beginning(name: QueryName): Compared {
  const [operator = '='] = operatorsFor(name);
  return {
    is: 'comparison',
    name: name.name,
    operator,
    values: name.kind === 'state' ? ['OPEN()'] : [],
  };
}

/** A name, how it is compared, and to what. */
export function ConditionRow({
  condition,
  known,
  onChange,
}: {
  readonly condition: Compared;
  readonly known: Knowledge;
  onChange(condition: Compared): void;
}) {
  const { queries } = useMessages();
  const name = known.names.find((one) => one.name === condition.name);
  const names = known.names
    .filter(({ kind }) => kind !== undefined)
    .map((one) => ({ id: one.name, name: one.label, second: one.name }));
  const takes = name === undefined ? [condition.operator] : operatorsFor(name);
  const operators = (takes.includes(condition.operator) ? takes : [...takes, condition.operator]).map(
    (id) => ({
      id,
      name: name?.kind === 'state' ? (id === '!=' ? queries.isNot : queries.is) : queries.operatorWords[id],
      second: id,
    }),
  );
  const setOperator = (id: string | null) => {
    const operator = queryOperators.find((one) => one === id);
    if (operator === undefined) return;
    const most = isList(operator) ? condition.values.length : operator === 'BETWEEN' ? 2 : 1;
    onChange({ ...condition, operator, values: condition.values.slice(0, most) });
  };
  return (
    <>
      <Select
        aria-label={queries.conditionName}
        options={names}
        known={[{ id: condition.name, name: condition.name }]}
        value={condition.name}
        onChange={(id) => {
          const next = known.names.find((one) => one.name === id);
          if (next !== undefined) onChange(beginning(next));
        }}
        className={styles['name']}
      />
      <Select
        aria-label={queries.conditionOperator}
        options={operators}
        value={condition.operator}
        onChange={setOperator}
        className={styles['operator']}
      />
      <Values name={name} condition={condition} known={known} onChange={onChange} />
    </>
  );
}

interface ValuesProps {
  readonly name: QueryName | undefined;
  readonly condition: Compared;
  readonly known: Knowledge;
  onChange(condition: Compared): void;
}

function Values(props: ValuesProps) {
  const { name, condition, onChange } = props;
  const { queries } = useMessages();
  if (name?.kind === 'state') return <span className={styles['stateWords']}>{queries.open}</span>;
  if (name?.kind === 'list' || name?.kind === 'person' || name?.kind === 'assignee')
    return <Chosen {...props} name={name} />;
  const places = condition.operator === 'BETWEEN' ? [0, 1] : [0];
  const kind = name?.kind ?? 'words';
  return places.map((place) => (
    <TypedValue
      key={place}
      label={queries.conditionValue}
      placeholder={kind === 'day' || kind === 'time' ? '2026-11-20, NOW() - 7d' : ''}
      kind={kind}
      value={condition.values[place] ?? ''}
      onChange={(value) => {
        const values = [...condition.values];
        values[place] = value;
        onChange({ ...condition, values: values.filter((one) => one !== undefined && one !== '') });
      }}
    />
  ));
}

/** A text without its quotes, as one types it. */
function shownText(written: string): string {
  const inside = /^(["'])([\s\S]*)\1$/.exec(written)?.[2];
  return inside === undefined ? written : inside.replaceAll(/\\(["'\\])/g, '$1');
}

/** What was typed as it stands in a query. */
function writtenText(typed: string, kind: string): string {
  const text = typed.trim();
  if (text === '' && kind !== 'words') return '';
  if ((kind === 'day' || kind === 'time') && /^now\s*\(\s*\)/i.test(text)) return text;
  if ((kind === 'number' || kind === 'id') && /^\d+(\.\d+)?$/.test(text)) return text;
  return quoted(kind === 'words' ? typed : text);
}

/** A value that is typed: it counts when one leaves it, or by Enter. */
function TypedValue({
  label,
  placeholder,
  kind,
  value,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly kind: string;
  readonly value: string;
  onChange(value: string): void;
}) {
  const [text, setText] = useState(shownText(value));
  useEffect(() => setText(shownText(value)), [value]);
  const send = () => {
    const next = writtenText(text, kind);
    if (next !== value && shownText(next) !== shownText(value)) onChange(next);
  };
  return (
    <TextField
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={setText}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send();
      }}
      className={styles['value'] ?? ''}
    />
  );
}

/** Values of lists, and people. */
function Chosen({ name, condition, known, onChange }: ValuesProps & { readonly name: QueryName }) {
  const messages = useMessages();
  const { queries } = messages;
  const [words, setWords] = useState('');
  const { values, isPeople } = valuesFor(name, messages);
  const { people: found } = usePeople(known.projectId ?? 0, words, isPeople && known.projectId !== undefined);
  const them = found.flatMap(({ username, real_name }) =>
    username === null ? [] : [{ id: quoted(username), name: real_name ?? username, second: username }],
  );
  const own = values.map(({ text, label, detail }) => ({
    id: text,
    name: text === label ? (detail ?? label) : label,
    second: text === label ? label : detail,
  }));
  const offered: readonly Option[] = [...own, ...them.filter(({ id }) => !own.some((one) => one.id === id))];
  const several = isList(condition.operator);
  // No value is asked for by itself alone.
  const options = several ? offered.filter(({ id }) => id !== '""') : offered;
  const chosen = condition.values.map((value) => ({
    id: value,
    name: offered.find(({ id }) => id === value)?.name ?? shownText(value),
  }));
  const search = isPeople ? { isSearched: true, onSearch: setWords } : {};
  if (several)
    return (
      <MultiSelect
        aria-label={queries.conditionValue}
        options={options}
        known={chosen}
        value={condition.values}
        onChange={(ids) => onChange({ ...condition, values: ids })}
        className={styles['value']}
        {...search}
      />
    );
  return (
    <Select
      aria-label={queries.conditionValue}
      options={options}
      known={chosen}
      value={condition.values[0] ?? null}
      onChange={(id) => onChange({ ...condition, values: id === null ? [] : [id] })}
      className={styles['value']}
      {...search}
    />
  );
}
