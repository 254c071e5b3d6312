import { useState } from 'react';
import { followed } from '../kernel/followed.ts';
import { useMessages } from '../messages/index.ts';
import { Note, NoteAction } from '../ui/index.ts';
import styles from './parts.module.css';

type Value = string | boolean | number | readonly string[];

const isSame = (one: Value | undefined, other: Value | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

const isList = (value: Value | undefined): value is readonly string[] => Array.isArray(value);

export interface Typed<Values> {
  /** What is stored, and over it what was typed. */
  readonly values: Values;
  readonly isChanged: boolean;
  /** What others made of members that were being changed here: it is told before anything replaces it. */
  readonly theirs: Partial<Values>;
  change(more: Partial<Values>): void;
  /**
   * Reads what is stored now, and stores what differs from it: nothing, and false, while somebody else has changed the same. Lists live
   * together: what was added and taken away here is added to theirs, and taken away from it. `now` is all of what is stored.
   */
  save(
    store: (changes: Partial<Values>, now: Values) => Promise<unknown>,
    isForced?: boolean,
  ): Promise<boolean>;
  /** Forgets what was typed: all of it, or what stands in the way of others. */
  discard(which?: 'all' | 'overtaken'): void;
}

/** What somebody types over what is stored. Of each member it is known what stood there when they began. */
export function useTyped<Values extends Readonly<Record<string, Value>>>(
  stored: Values,
  read: () => Promise<Values>,
): Typed<Values> {
  const [typed, setTyped] = useState<Partial<Values>>({});
  const [begun, setBegun] = useState<Partial<Values>>({});
  /** What was read when it was to be saved, and what the page knew then. */
  const [latest, setLatest] = useState<{ readonly known: string; readonly values: Values }>();
  const [isSending, setSending] = useState(false);
  const known = JSON.stringify(stored);
  const now = latest?.known === known ? latest.values : stored;
  const names = (of: Partial<Values>) => Object.keys(of) as (keyof Values)[];
  const overtaken = (by: Values) =>
    names(typed).filter(
      (name) => !isList(by[name]) && !isSame(by[name], begun[name]) && !isSame(by[name], typed[name]),
    );
  const only = (of: Partial<Values>, which: readonly (keyof Values)[]) =>
    Object.fromEntries(which.map((name) => [name, of[name]])) as Partial<Values>;
  const without = (of: Partial<Values>, which: readonly (keyof Values)[]) =>
    only(
      of,
      names(of).filter((name) => !which.includes(name)),
    );
  const changesOf = (over: Values): Partial<Values> => {
    const wished = names(typed).map((name) => {
      const [there, seen, wanted] = [over[name], begun[name], typed[name]];
      return [name, isList(there) && isList(seen) && isList(wanted) ? followed(there, seen, wanted) : wanted];
    });
    const all = Object.fromEntries(wished) as Partial<Values>;
    return only(
      all,
      names(all).filter((name) => !isSame(all[name], over[name])),
    );
  };
  const forget = (which: readonly (keyof Values)[]) => {
    setTyped((before) => without(before, which));
    setBegun((before) => without(before, which));
  };
  return {
    values: { ...now, ...typed },
    isChanged: names(typed).some((name) => !isSame(typed[name], now[name])),
    // One's own change comes back, too.
    theirs: isSending ? {} : only(now, overtaken(now)),
    change: (more) => {
      const beginning = names(more).filter((name) => !Object.hasOwn(typed, name));
      const seen = { ...begun, ...only(now, beginning) };
      // What is again as it was is no change, and in nobody's way.
      const undone = names(more).filter((name) => isSame(more[name], seen[name]));
      setTyped((before) => without({ ...before, ...more }, undone));
      setBegun((before) => ({ ...before, ...only(now, beginning) }));
    },
    save: async (store, isForced = false) => {
      const values = await read();
      setLatest({ known, values });
      if (!isForced && overtaken(values).length > 0) return false;
      const changes = changesOf(values);
      setSending(true);
      try {
        await store(changes, values);
      } finally {
        setSending(false);
      }
      setLatest(undefined);
      // What was typed while it was sent stays.
      setTyped((before) =>
        only(
          before,
          names(before).filter((name) => !isSame(before[name], typed[name])),
        ),
      );
      setBegun((before) => ({ ...before, ...typed, ...changes }));
      return true;
    },
    discard: (which = 'all') => forget(which === 'all' ? names(typed) : overtaken(now)),
  };
}

/** What somebody else wrote meanwhile, and which of both it is to be. */
export function Overtaken<Values extends Readonly<Record<string, Value>>>({
  typed: { theirs, discard },
  names,
  shown = String,
  onMine,
}: {
  readonly typed: Typed<Values>;
  readonly names: Partial<Readonly<Record<keyof Values, string>>>;
  /** How a value is written, where it is not a text. */
  shown?(value: Value, name: keyof Values): string;
  /** Saves what was typed here, whatever is there. */
  onMine(): void;
}) {
  const { overtaken: words } = useMessages().projectAdmin;
  const members: (keyof Values)[] = Object.keys(theirs);
  if (members.length === 0) return null;
  return (
    <Note meaning="care" isAlert>
      {words.words}
      {members.map((name) => {
        const value = theirs[name] ?? '';
        return (
          <span key={String(name)} className={styles['theirs']}>
            {words.theirs(names[name] ?? '', value === '' ? '' : shown(value, name))}
          </span>
        );
      })}
      <span className={styles['whose']}>
        <NoteAction onPress={() => discard('overtaken')}>{words.takeTheirs}</NoteAction>
        <NoteAction onPress={onMine}>{words.saveMine}</NoteAction>
      </span>
    </Note>
  );
}
