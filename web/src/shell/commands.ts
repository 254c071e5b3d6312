import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isTyped, matchKeys, writtenKey } from '../kernel/keys.ts';
import { createSignal } from '../store/index.ts';

/** Something that can be done here: by its button, its keys, or the palette. */
export interface Command {
  readonly id: string;
  readonly name: string;
  /** `c`, `shift+c`, `g h`, `mod+k`; the first is the one that is shown. */
  readonly keys?: string | readonly string[] | undefined;
  readonly icon?: string | undefined;
  run(): void;
  /** Why it cannot be done, where it cannot: shown beside its name. */
  readonly reasonNot?: string | undefined;
  /** True where it is of use by its keys only: next row, for example. */
  readonly isHidden?: boolean | undefined;
}

interface Registration {
  /** How far in front the part is that registered them. */
  readonly place: number;
  readonly commands: readonly Command[];
}

/** Parts are drawn from the outside in, and what opens later is in front; whoever tells their commands anew keeps the place. */
let nextPlace = 1;

/** Parts of a page register theirs; the one in front comes first. */
const registrations = createSignal<readonly Registration[]>([]);

export const keysOf = ({ keys }: Command): readonly string[] =>
  keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;

/** Commands of what is in front first; of two with one id only that one counts. */
function allCommands(): readonly Command[] {
  const found = new Map<string, Command>();
  for (const { commands } of registrations.get().toReversed())
    for (const command of commands) if (!found.has(command.id)) found.set(command.id, command);
  return [...found.values()];
}

/** The keys that lead to a command: of two with the same keys only the one in front is run. */
export const workingKeys = (command: Command, all: readonly Command[]): readonly string[] =>
  command.reasonNot === undefined
    ? keysOf(command).filter((keys) => all.find((other) => keysOf(other).includes(keys)) === command)
    : [];

export function useAllCommands(): readonly Command[] {
  useSyncExternalStore(registrations.subscribe, registrations.get);
  return allCommands();
}

/** What two lists of commands must have in common not to be told anew: `run` may be another function each time. */
const faceOf = (commands: readonly Command[]) =>
  JSON.stringify(
    commands.map(({ id, name, keys, icon, reasonNot, isHidden }) => [
      id,
      name,
      keys,
      icon,
      reasonNot,
      isHidden,
    ]),
  );

/** Makes commands available as long as the part that calls this is shown. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  const [place] = useState(() => nextPlace++);
  useEffect(() => {
    latest.current = commands;
  });
  const face = faceOf(commands);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is seen of commands makes a new registration; `run` is looked up.
  useEffect(() => {
    const lasting = commands.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }));
    const registration: Registration = { place, commands: lasting };
    registrations.set([...registrations.get(), registration].sort((left, right) => left.place - right.place));
    return () => registrations.set(registrations.get().filter((other) => other !== registration));
  }, [face]);
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

export const isTextControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|range)$/.test(target.type)));

/** Menus and lists take letters and arrows for themselves; a dialog has keys of its own. */
export const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('[role=menu],[role=listbox],[role=dialog],[role=alertdialog]') !== null;

let begun = '';
let begunAt = 0;
const patience = 1200;

/** Whether single letters do something: everybody can switch them off. */
let lettersWork = true;
export function setLettersWork(work: boolean): void {
  lettersWork = work;
}

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const pressed = writtenKey(event, isMac());
  if (isTyped(pressed) && (isTextControl(event.target) || takesKeys(event.target) || !lettersWork)) return;
  const commands = allCommands();
  const match = matchKeys(
    Date.now() - begunAt < patience ? begun : '',
    pressed,
    commands.flatMap((command) => keysOf(command)),
  );
  begun = match.kind === 'begun' ? match.keys : '';
  begunAt = Date.now();
  if (match.kind === 'none') return;
  if (match.kind === 'matched') {
    const command = commands.find((one) => keysOf(one).includes(match.keys));
    if (command === undefined || command.reasonNot !== undefined) return;
    command.run();
  }
  event.preventDefault();
}

export function startKeys(): () => void {
  document.addEventListener('keydown', handle);
  return () => document.removeEventListener('keydown', handle);
}

const keyNames: Readonly<Record<string, string>> = {
  mod: 'Mod',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  escape: 'Esc',
  space: 'Space',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
};

/** Keys of a command as the control that draws them takes them: `mod+k` is `Mod k`. */
export function shownKeys(keys: string): string {
  return keys
    .split(' ')
    .flatMap((chord) => (chord === '+' ? [chord] : chord.split('+')))
    .map((name) => keyNames[name] ?? name)
    .join(' ');
}
