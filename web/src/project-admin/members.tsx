import type { Project } from '@atelier/client/routes';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify, personOf, WaitingPlace } from '../shell/index.ts';
import { Button, EmptyPlace, Face, SearchField, TextArea } from '../ui/index.ts';
import {
  changeGroups,
  findPeople,
  type GroupChange,
  type Matrix,
  type MatrixPerson,
  type MinimalUser,
  membersGroupOf,
  useMatrix,
} from './calls.ts';
import styles from './members.module.css';
import { AdminPart, FaultLine, Filters, FormDialog, UnsavedBar, useSending } from './parts.tsx';

/** What is ticked other than it is stored, by person and group. */
type Ticks = ReadonlyMap<string, boolean>;

const tickOf = (person: number, group: string) => `${person} ${group}`;

function changesOf({ groups }: Matrix, ticks: Ticks): GroupChange[] {
  return groups.flatMap(({ id: group }) => {
    const own = [...ticks].flatMap(([key, is]) => {
      const [person = '', of] = key.split(' ');
      return of === group ? [{ person: Number(person), is }] : [];
    });
    const add = own.filter(({ is }) => is).map(({ person }) => person);
    const remove = own.filter(({ is }) => !is).map(({ person }) => person);
    return own.length === 0 ? [] : [{ group, add, remove }];
  });
}

function AddDialog({
  group,
  onFound,
  onClose,
}: {
  readonly group: string;
  onFound(people: readonly MinimalUser[], group: string): void;
  onClose(): void;
}) {
  const { members } = useMessages().projectAdmin;
  const [text, setText] = useState('');
  const [unknown, setUnknown] = useState<string>();
  const { isBusy, faults, send } = useSending();
  const submit = () =>
    void send(async () => {
      const names = text.split(/[\s,;]+/).filter((name) => name !== '');
      const looked = await findPeople(names);
      if (looked.unknown.length > 0) {
        setUnknown(members.unknown(looked.unknown.join(', ')));
        return;
      }
      onFound(looked.found, group);
      onClose();
    });
  return (
    <FormDialog
      title={members.add}
      submit={members.addButton}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label={members.people}
        help={members.peopleHelp}
        value={text}
        onChange={setText}
        autoFocus
        fault={unknown ?? faults.elsewhere()}
      />
    </FormDialog>
  );
}

function useMatrixKeys(rows: number, columns: number) {
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const go = (row: number, column: number) => {
    const next = {
      row: Math.min(Math.max(row, 0), rows - 1),
      column: Math.min(Math.max(column, 0), columns - 1),
    };
    setAt(next);
    table.current?.querySelector<HTMLInputElement>(`input[data-cell="${next.row} ${next.column}"]`)?.focus();
  };
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-10, 0],
    PageDown: [10, 0],
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(at.row + step[0], at.column + step[1]);
  };
  const isReached = (row: number, column: number) =>
    row === Math.min(at.row, rows - 1) && column === Math.min(at.column, columns - 1);
  return { table, onKeyDown, isReached, setAt };
}

function MatrixTable({
  matrix,
  people,
  ticks,
  onTick,
}: {
  readonly matrix: Matrix;
  readonly people: readonly MatrixPerson[];
  readonly ticks: Ticks;
  onTick(person: MatrixPerson, group: string, is: boolean): void;
}) {
  const { members } = useMessages().projectAdmin;
  const { table, onKeyDown, isReached, setAt } = useMatrixKeys(people.length, matrix.groups.length);
  return (
    <section className={styles['scroll']} aria-label={members.title}>
      <table className={styles['matrix']} ref={table} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">{members.person}</th>
            {matrix.groups.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person, row) => {
            const { user, groups } = person;
            const face = personOf(user);
            return (
              <tr key={face.id}>
                <th scope="row">
                  <span className={styles['person']}>
                    <Face {...face} size={20} />
                    <span>
                      {user.real_name === '' ? user.username : user.real_name}{' '}
                      <span className={styles['login']}>{user.username}</span>
                    </span>
                  </span>
                </th>
                {matrix.groups.map(({ id: group, label }, column) => {
                  const stored = groups.includes(group);
                  const is = ticks.get(tickOf(face.id, group)) ?? stored;
                  return (
                    <td key={group} data-changed={is !== stored}>
                      <input
                        type="checkbox"
                        data-cell={`${row} ${column}`}
                        tabIndex={isReached(row, column) ? 0 : -1}
                        checked={is}
                        aria-label={members.cell(face.name, label)}
                        onFocus={() => setAt({ row, column })}
                        onChange={(event) => onTick(person, group, event.target.checked)}
                      />
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** People and groups of a project as a matrix: ticked by mouse or keys, saved at once. */
export function Members({ project }: { readonly project: Project }) {
  const { members } = useMessages().projectAdmin;
  const asked = useMatrix(project.uri);
  const { data } = asked;
  const [words, setWords] = useState('');
  const [ticks, setTicks] = useState<Ticks>(new Map());
  const [added, setAdded] = useState<readonly MinimalUser[]>([]);
  const [isAdding, setAdding] = useState(false);
  const { isBusy, faults, send } = useSending();
  const matrix = useMemo((): Matrix | undefined => {
    if (data === undefined) return undefined;
    const known = new Set(data.people.map(({ user }) => user.id));
    const fresh = added.filter(({ id }) => !known.has(id)).map((user) => ({ user, groups: [] }));
    return { ...data, people: [...fresh, ...data.people] };
  }, [data, added]);
  const found = matrix?.people.filter(({ user }) => {
    const text = `${user.real_name} ${user.username}`.toLowerCase();
    return words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  });
  const tick = ({ user, groups }: MatrixPerson, group: string, is: boolean) =>
    setTicks((before) => {
      const next = new Map(before);
      const key = tickOf(user.id ?? 0, group);
      if (groups.includes(group) === is) next.delete(key);
      else next.set(key, is);
      return next;
    });
  const take = (people: readonly MinimalUser[], group: string) => {
    setAdded((before) => [...before, ...people]);
    for (const user of people) {
      const groups = matrix?.people.find((person) => person.user.id === user.id)?.groups ?? [];
      tick({ user, groups }, group, true);
    }
  };
  const discard = () => {
    setTicks(new Map());
    setAdded([]);
  };
  const save = () =>
    void send(async () => {
      if (matrix === undefined) return;
      await changeGroups(project.uri, changesOf(matrix, ticks));
      discard();
      notify({ text: members.saved });
    });
  return (
    <AdminPart
      title={members.title}
      words={members.words}
      actions={
        <Button
          icon="user-plus"
          kind={ticks.size === 0 ? 'primary' : 'plain'}
          onPress={() => setAdding(true)}
        >
          {members.add}
        </Button>
      }
    >
      <Filters count={found === undefined ? undefined : members.count(found.length)}>
        <SearchField placeholder={members.find} value={words} onChange={setWords} />
      </Filters>
      <WaitingPlace asked={asked} lines={8} />
      {found?.length === 0 && <EmptyPlace icon="users" name={members.none} />}
      {matrix !== undefined && found !== undefined && found.length > 0 && (
        <MatrixTable matrix={matrix} people={found} ticks={ticks} onTick={tick} />
      )}
      <FaultLine words={faults.elsewhere()} />
      {ticks.size > 0 && (
        <UnsavedBar words={members.changes(ticks.size)} isBusy={isBusy} onDiscard={discard} onSave={save} />
      )}
      {isAdding && (
        <AddDialog group={membersGroupOf(project.uri)} onFound={take} onClose={() => setAdding(false)} />
      )}
    </AdminPart>
  );
}
