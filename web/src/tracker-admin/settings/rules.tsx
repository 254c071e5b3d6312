import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { LeaveGuard, notify, Problem, tellFault } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, Checkbox, IconButton, Select, Skeleton } from '../../ui/index.ts';
import { type FieldSettings, useFormElements } from '../calls.ts';
import { fieldsFor } from '../form-elements.ts';
import { changeRules, type DateRule, type ListRule, type Rules, useRules } from './calls.ts';
import styles from './settings.module.css';
import { Section, Sheet } from './sheet.tsx';

interface RulesPartProps {
  readonly tracker: Tracker;
  readonly fields: readonly FieldSettings[];
  readonly rules: Rules;
}

/** `rules`: what always holds between fields. */
export function RulesPage({ tracker }: { readonly tracker: Tracker }) {
  const { rules: words } = useMessages().trackerAdmin;
  const { data: elements, error, refetch } = useFormElements(tracker.id);
  const { data: rules } = useRules(tracker.id);
  if (elements === undefined && error !== null)
    return <Problem error={error} askAgain={() => void refetch()} />;
  if (elements === undefined || rules === undefined)
    return <Skeleton lines={8} className={styles['sheet'] ?? ''} />;
  const fields = elements.filter(({ is_used: isUsed, is_removed: isRemoved }) => isUsed && !isRemoved);
  return (
    <Sheet words={words.words}>
      <Dates tracker={tracker} fields={fields} rules={rules} />
      <Dependencies tracker={tracker} fields={fields} rules={rules} />
    </Sheet>
  );
}

const labelOf = (fields: readonly FieldSettings[], id: number) =>
  fields.find(({ field_id: one }) => one === id)?.label ?? `#${id}`;

const optionsOf = (fields: readonly FieldSettings[], codes: readonly string[]) =>
  fields
    .filter(({ type }) => codes.includes(type))
    .map(({ field_id: id, label }) => ({ id: String(id), name: label }));

const comparators = ['<', '≤', '=', '≥', '>', '≠'] as const;
type Comparator = (typeof comparators)[number];

const isSameRule = (one: DateRule, other: DateRule) =>
  one.source_field_id === other.source_field_id &&
  one.target_field_id === other.target_field_id &&
  one.comparator === other.comparator;

function Dates({ tracker, fields, rules }: RulesPartProps) {
  const { rules: words } = useMessages().trackerAdmin;
  const [source, setSource] = useState<string | null>(null);
  const [comparator, setComparator] = useState<Comparator>('≤');
  const [target, setTarget] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const dates = optionsOf(fields, fieldsFor.date);
  const sentence = (rule: DateRule) =>
    words.sentence(
      labelOf(fields, rule.source_field_id),
      words.comparators[rule.comparator],
      labelOf(fields, rule.target_field_id),
    );
  const add = async () => {
    const rule = { source_field_id: Number(source), comparator, target_field_id: Number(target) };
    setBusy(true);
    try {
      await changeRules(tracker.id, ({ dates: now }) => ({ dates: [...now, rule] }));
      setFault(null);
      setSource(null);
      setTarget(null);
    } catch (error) {
      setFault(wordsOfError(error));
    } finally {
      setBusy(false);
    }
  };
  const remove = async (rule: DateRule) => {
    try {
      await changeRules(tracker.id, ({ dates: now }) => ({
        dates: now.filter((one) => !isSameRule(one, rule)),
      }));
      const undo = () =>
        void changeRules(tracker.id, ({ dates: now }) => ({ dates: [...now, rule] })).catch(tellFault);
      notify({ text: words.removed(sentence(rule)), undo });
    } catch (error) {
      tellFault(error);
    }
  };
  return (
    <Section name={words.dates}>
      <ul className={styles['sentences']}>
        {rules.dates.map((rule) => (
          <li key={sentence(rule)}>
            <span>{sentence(rule)}</span>
            <IconButton
              icon="x"
              size="small"
              label={words.remove(sentence(rule))}
              onPress={() => remove(rule)}
            />
          </li>
        ))}
      </ul>
      {dates.length < 2 ? (
        <p className={styles['second']}>{words.needsDates}</p>
      ) : (
        <div className={styles['row']}>
          <Select
            aria-label={words.firstDate}
            value={source}
            onChange={setSource}
            options={dates}
            fault={fault}
          />
          <Select
            aria-label={words.comparator}
            value={comparator}
            onChange={(id) => setComparator(comparators.find((one) => one === id) ?? '≤')}
            options={comparators.map((id) => ({ id, name: words.comparators[id] }))}
          />
          <Select aria-label={words.secondDate} value={target} onChange={setTarget} options={dates} />
          <Button isDisabled={source === null || target === null} isBusy={isBusy} onPress={() => void add()}>
            {words.add}
          </Button>
        </div>
      )}
    </Section>
  );
}

const NOTHING = 100;

function Dependencies({ tracker, fields, rules }: RulesPartProps) {
  const { rules: words } = useMessages().trackerAdmin;
  const lists = fields.filter(
    ({ type, bind }) => bind?.type === 'static' && fieldsFor.dependency.some((code) => code === type),
  );
  const pairs = [...new Set(rules.lists.map((rule) => `${rule.source_field_id} ${rule.target_field_id}`))];
  const [source, setSource] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const shown = source !== null && target !== null && source !== target;
  const options = lists.map(({ field_id: id, label }) => ({ id: String(id), name: label }));
  return (
    <Section name={words.dependencies}>
      <ul className={styles['sentences']}>
        {pairs.map((pair) => {
          const [from = '', to = ''] = pair.split(' ');
          const sentence = words.dependsOn(labelOf(fields, Number(to)), labelOf(fields, Number(from)));
          return (
            <li key={pair}>
              <span>{sentence}</span>
              <Button
                size="small"
                onPress={() => {
                  setSource(from);
                  setTarget(to);
                }}
              >
                {words.open}
              </Button>
            </li>
          );
        })}
      </ul>
      {lists.length < 2 ? (
        <p className={styles['second']}>{words.needsLists}</p>
      ) : (
        <div className={styles['row']}>
          <Select label={words.source} value={source} onChange={setSource} options={options} />
          <Select
            label={words.target}
            value={target}
            onChange={setTarget}
            options={options.filter(({ id }) => id !== source)}
          />
        </div>
      )}
      {shown && (
        <Pairs
          key={`${source} ${target}`}
          tracker={tracker}
          fields={fields}
          rules={rules}
          sourceId={Number(source)}
          targetId={Number(target)}
        />
      )}
    </Section>
  );
}

interface PairsProps extends RulesPartProps {
  readonly sourceId: number;
  readonly targetId: number;
}

/** Which values of one list go with which of another; stored as one. */
function Pairs({ tracker, fields, rules, sourceId, targetId }: PairsProps) {
  const { trackerAdmin } = useMessages();
  const words = trackerAdmin.rules;
  const isOfPair = (rule: ListRule) => rule.source_field_id === sourceId && rule.target_field_id === targetId;
  const keyOf = (rule: ListRule) => `${rule.source_value_id} ${rule.target_value_id}`;
  const stored = new Set(rules.lists.filter(isOfPair).map(keyOf));
  /** What is ticked other than it is stored: what others tick meanwhile stays. */
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [fault, setFault] = useState<string>();
  const valuesOf = (id: number) => [
    ...(fields.find(({ field_id: one }) => one === id)?.bind?.values ?? []).filter(
      ({ is_hidden: isHidden }) => !isHidden,
    ),
    { id: NOTHING, label: words.empty },
  ];
  const toggle = (key: string, isOn: boolean) => {
    const next = new Map(ticks);
    if (stored.has(key) === isOn) next.delete(key);
    else next.set(key, isOn);
    setTicks(next);
  };
  const isChanged = [...ticks].some(([key, isOn]) => stored.has(key) !== isOn);
  const save = async () => {
    try {
      await changeRules(tracker.id, ({ lists }) => {
        const kept = lists.filter((rule) => !isOfPair(rule) || ticks.get(keyOf(rule)) !== false);
        const there = new Set(kept.filter(isOfPair).map(keyOf));
        const added = [...ticks].filter(([key, isOn]) => isOn && !there.has(key));
        return {
          lists: [
            ...kept,
            ...added.map(([key]) => {
              const [from = 0, to = 0] = key.split(' ').map(Number);
              return {
                source_field_id: sourceId,
                source_value_id: from,
                target_field_id: targetId,
                target_value_id: to,
              };
            }),
          ],
        };
      });
      setTicks(new Map());
      setFault(undefined);
      notify({ text: words.stored });
    } catch (error) {
      setFault(wordsOfError(error));
    }
  };
  const [rows, columns] = [valuesOf(sourceId), valuesOf(targetId)];
  return (
    <>
      <div className={styles['scroll']}>
        <table
          className={styles['table']}
          aria-label={words.dependsOn(labelOf(fields, targetId), labelOf(fields, sourceId))}
        >
          <thead>
            <tr>
              <th scope="col">{labelOf(fields, sourceId)}</th>
              {columns.map(({ id, label }) => (
                <th key={id} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.label}</th>
                {columns.map((column) => {
                  const key = `${row.id} ${column.id}`;
                  return (
                    <td key={key}>
                      <Checkbox
                        aria-label={words.pair(row.label, column.label)}
                        isSelected={ticks.get(key) ?? stored.has(key)}
                        onChange={(isOn) => toggle(key, isOn)}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {fault !== undefined && (
        <p role="alert" lang="en" className={styles['fault']}>
          {fault}
        </p>
      )}
      <LeaveGuard isNeeded={isChanged} />
      <Button kind="primary" isDisabled={!isChanged} onPress={save}>
        {trackerAdmin.save}
      </Button>
    </>
  );
}
