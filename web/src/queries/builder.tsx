import { useState } from 'react';
import type { BuiltCondition, BuiltProjects, BuiltQuery } from '../kernel/built-query.ts';
import { useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import { Button, IconButton, MultiSelect, type Option, Segmented, Select, TokenField } from '../ui/index.ts';
import { useFoundProjects } from './calls.ts';
import { ConditionRow } from './condition.tsx';
import type { Knowledge } from './help.ts';
import { operatorsFor } from './names.ts';
import styles from './queries.module.css';

export interface BuilderProps {
  readonly built: BuiltQuery;
  readonly known: Knowledge;
  /** Whether the query is kept in a project, which it can look into then. */
  readonly hasOwnProject: boolean;
  onChange(built: BuiltQuery): void;
}

type Part = BuilderProps & { change(part: Partial<BuiltQuery>): void };

/** A query as its parts: where to look, what to show, what must hold, and in which order. Each change writes the text anew. */
export function Builder(props: BuilderProps) {
  const { built, onChange } = props;
  const part: Part = { ...props, change: (changed) => onChange({ ...built, ...changed }) };
  return (
    <div className={styles['builder']}>
      <Where {...part} />
      <Columns {...part} />
      <Conditions {...part} />
      <Order {...part} />
    </div>
  );
}

function Where({ built, known, hasOwnProject, change }: Part) {
  const { queries } = useMessages();
  const { memberships } = useStanding();
  const [words, setWords] = useState('');
  const found = useFoundProjects(words);
  const { projects, trackers } = built;
  const own = memberships.map(({ project }) => ({ id: project.shortname, name: project.label_without_icon }));
  const kinds = [
    ...(own.length > 0 || projects.is === 'mine' ? [{ id: 'mine', name: queries.myProjects }] : []),
    { id: 'named', name: queries.someProjects },
    ...(hasOwnProject || projects.is === 'self' ? [{ id: 'self', name: queries.ownProject }] : []),
  ];
  const offered: readonly Option[] = [
    ...own,
    ...found
      .filter(({ name }) => !own.some(({ id }) => id === name))
      .map(({ name, label }) => ({ id: name, name: label })),
  ];
  const names = projects.is === 'named' ? projects.names : [];
  const turn = (kind: string | null): BuiltProjects =>
    kind === 'self'
      ? { is: 'self' }
      : kind === 'named'
        ? { is: 'named', names: own.slice(0, 1).map(({ id }) => id) }
        : { is: 'mine' };
  const byName = new Map(known.trackers.map(({ item_name, label }) => [item_name, label]));
  const trackerOptions = [...byName].map(([id, name]) => ({ id, name, second: id }));
  return (
    <div className={styles['line']}>
      <Select
        label={queries.projects}
        options={kinds}
        value={projects.is === 'none' ? 'mine' : projects.is}
        onChange={(kind) => change({ projects: turn(kind), trackers: [] })}
        className={styles['short']}
      />
      {projects.is === 'named' && (
        <MultiSelect
          label={queries.whichProjects}
          options={offered}
          known={names.map((name) => ({
            id: name,
            name: offered.find(({ id }) => id === name)?.name ?? name,
          }))}
          isSearched
          onSearch={setWords}
          value={names}
          onChange={(chosen) => change({ projects: { is: 'named', names: chosen } })}
          className={styles['long']}
        />
      )}
      <MultiSelect
        label={queries.trackers}
        options={trackerOptions}
        known={trackers.map((name) => ({ id: name, name: byName.get(name) ?? name }))}
        placeholder={queries.allTrackers}
        value={trackers}
        onChange={(chosen) => change({ trackers: chosen })}
        className={styles['long']}
      />
    </div>
  );
}

function Columns({ built, known, change }: Part) {
  const { queries } = useMessages();
  const options = known.names.map(({ name, label }) => ({ id: name, name: label, second: name }));
  const labelOf = (name: string) => options.find(({ id }) => id === name)?.name ?? name;
  return (
    <TokenField
      label={queries.columns}
      options={options}
      value={built.columns.map((name) => ({ id: name, name: labelOf(name) }))}
      onChange={(tokens) => change({ columns: tokens.map(({ id }) => id) })}
    />
  );
}

function Conditions({ built, known, change }: Part) {
  const { queries } = useMessages();
  const { conditions, isAny } = built;
  const replace = (place: number, condition: BuiltCondition) =>
    change({ conditions: conditions.with(place, condition) });
  const add = () => {
    const name = known.names.find(({ name: one }) => one === '@status');
    const [operator = '='] = name === undefined ? [] : operatorsFor(name);
    change({
      conditions: [...conditions, { is: 'comparison', name: '@status', operator, values: ['OPEN()'] }],
    });
  };
  return (
    <fieldset className={styles['conditions']}>
      <legend>{queries.conditions}</legend>
      {conditions.length > 1 && (
        <Segmented
          label={queries.howMany}
          options={[
            { id: 'all', name: queries.all },
            { id: 'any', name: queries.any },
          ]}
          value={isAny ? 'any' : 'all'}
          onChange={(id) => change({ isAny: id === 'any' })}
        />
      )}
      {conditions.map((condition, place) => (
        // Conditions have no other name than their place.
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: two conditions may be the same
          key={place}
          className={styles['condition']}
          role="group"
          aria-label={queries.condition(place + 1)}
        >
          {condition.is === 'text' ? (
            <code className={styles['written']}>{condition.text}</code>
          ) : (
            <ConditionRow condition={condition} known={known} onChange={(next) => replace(place, next)} />
          )}
          <IconButton
            icon="x"
            size="small"
            label={queries.removeCondition(place + 1)}
            onPress={() => change({ conditions: conditions.toSpliced(place, 1) })}
          />
        </div>
      ))}
      <Button kind="quiet" size="small" icon="plus" onPress={add}>
        {queries.addCondition}
      </Button>
    </fieldset>
  );
}

function Order({ built, known, change }: Part) {
  const { queries } = useMessages();
  const { order } = built;
  const options = known.names
    .filter(({ mayOrder }) => mayOrder)
    .map(({ name, label }) => ({ id: name, name: label, second: name }));
  return (
    <div className={styles['line']}>
      <Select
        label={queries.order}
        options={options}
        known={order === undefined ? [] : [{ id: order.name, name: order.name }]}
        none={queries.newest}
        value={order?.name ?? null}
        onChange={(name) =>
          change({ order: name === null ? undefined : { name, isDescending: order?.isDescending ?? true } })
        }
        className={styles['short']}
      />
      {order !== undefined && (
        <div className={styles['direction']}>
          <Segmented
            label={queries.direction}
            options={[
              { id: 'ascending', name: queries.ascending },
              { id: 'descending', name: queries.descending },
            ]}
            value={order.isDescending ? 'descending' : 'ascending'}
            onChange={(id) => change({ order: { ...order, isDescending: id === 'descending' } })}
          />
        </div>
      )}
    </div>
  );
}
