import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import {
  Autocomplete,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
} from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { useStanding } from '../../store/index.ts';
import { BareDialog, Icon, iconNameOf, Key, TrackerMark } from '../../ui/index.ts';
import { shownKeys, useAllCommands } from '../commands.ts';
import { closeOverlay } from '../overlays.ts';
import { hasActions, useActionGroup } from './actions.ts';
import { useQuickSearch } from './calls.ts';
import {
  commandGroup,
  keptGroups,
  type PaletteEntry,
  type PaletteGroup,
  questionIn,
  withFound,
  wordEntries,
} from './entries.ts';
import styles from './palette.module.css';

function useGroups(text: string): readonly PaletteGroup[] {
  const messages = useMessages();
  const standing = useStanding();
  const all = useAllCommands();
  const { kind, words } = questionIn(text);
  const found = useQuickSearch(words, kind !== 'commands');
  const commands = commandGroup(all, words, messages);
  if (kind === 'commands') return [commands];
  const places = withFound(keptGroups(words, standing, messages), found, messages);
  if (kind !== 'all') return places.filter(({ id }) => id === kind);
  const own = wordEntries(words, messages);
  const isId = own.entries.length === 2;
  return words === ''
    ? [commands, ...places]
    : isId
      ? [own, ...places, commands]
      : [...places, commands, own];
}

/**
 * Lines stay where they are while one of them is pressed: what is found meanwhile would come between, and the press would be lost. Other
 * words end it too: the end of a press that opens a menu of the browser is never told.
 */
function useHeld(text: string) {
  const groups = useGroups(text);
  const [held, setHeld] = useState<{ readonly text: string; readonly groups: readonly PaletteGroup[] }>();
  useEffect(() => {
    const release = () => setHeld(undefined);
    const ends = ['pointerup', 'pointercancel'] as const;
    // The press itself is acted upon first.
    for (const end of ends) window.addEventListener(end, release);
    return () => {
      for (const end of ends) window.removeEventListener(end, release);
    };
  }, []);
  return { groups: held?.text === text ? held.groups : groups, hold: () => setHeld({ text, groups }) };
}

/** What a list of react-aria hears when the box that it belongs to wants its first line to stand out. */
const firstLine = () =>
  new CustomEvent('react-aria-focus', {
    cancelable: true,
    bubbles: true,
    detail: { focusStrategy: 'first' },
  });

/** The first line stands out until somebody goes to another one, also where better ones come before it a moment later. */
function useFirstLine(text: string, first: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words are looked for anew.
  useEffect(() => {
    isMoved.current = false;
  }, [text]);
  useEffect(() => {
    if (text !== '' && first !== undefined && !isMoved.current) list.current?.dispatchEvent(firstLine());
  }, [text, first]);
  const move = () => {
    isMoved.current = true;
  };
  return { list, move };
}

/** The words that were looked for stand out in what was found. */
function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  const parts = words
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (parts.length === 0) return text;
  const pieces = text.split(new RegExp(`(${parts.join('|')})`, 'gi'));
  return pieces.map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
  );
}

function Line({ entry, words }: { readonly entry: PaletteEntry; readonly words: string }) {
  const { name, reference, detail, icon, color, keys, reasonNot } = entry;
  return (
    <>
      <span className={styles['mark']}>
        {color === undefined || color === null ? (
          <Icon name={iconNameOf(icon ?? '', 'chevron-right')} />
        ) : (
          <TrackerMark colour={color} />
        )}
      </span>
      {reference !== undefined && <span className={styles['reference']}>{reference}</span>}
      <span className={styles['name']}>
        <Marked text={name} words={words} />
      </span>
      {(reasonNot ?? detail) !== undefined && <span className={styles['detail']}>{reasonNot ?? detail}</span>}
      {keys !== undefined && reasonNot === undefined && <Key keys={shownKeys(keys)} />}
    </>
  );
}

function Feet() {
  const { palette } = useMessages().shell;
  return (
    <footer className={styles['feet']}>
      <span>
        <Key keys="Enter" /> {palette.open}
      </span>
      <span>
        <Key keys="Mod Enter" /> {palette.newTab}
      </span>
      <span>
        <Key keys="→" /> {palette.actions}
      </span>
      <span className={styles['apart']}>
        <Key keys=">" /> {palette.commandsOnly}
      </span>
      <span>
        <Key keys="#" /> {palette.artifactsOnly}
      </span>
      <span>
        <Key keys="@" /> {palette.peopleOnly}
      </span>
    </footer>
  );
}

/** The caret is at the end of what is typed, so that an arrow to the right has nothing else to do. */
const isAtEnd = ({ target }: KeyboardEvent) =>
  !(target instanceof HTMLInputElement) || target.selectionStart === target.value.length;

/** What a key does with the line that stands out, where that is not the business of the list. */
function actOf(
  event: KeyboardEvent,
  entry: PaletteEntry | undefined,
  { isActed, isEmpty }: { readonly isActed: boolean; readonly isEmpty: boolean },
): 'new-tab' | 'actions' | 'back' | undefined {
  const { key, ctrlKey, metaKey } = event;
  if (key === 'Enter' && (ctrlKey || metaKey)) return 'new-tab';
  if (isActed) return key === 'Escape' || (key === 'ArrowLeft' && isEmpty) ? 'back' : undefined;
  return key === 'ArrowRight' && entry !== undefined && hasActions(entry) && isAtEnd(event)
    ? 'actions'
    : undefined;
}

function filtered(group: PaletteGroup, words: string): PaletteGroup {
  const wanted = words.toLowerCase();
  return { ...group, entries: group.entries.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}

/** One box for everything: what can be done here, and what there is. */
export function Palette() {
  const { shell } = useMessages();
  const router = useRouter();
  const [text, setText] = useState('');
  const [acted, setActed] = useState<PaletteEntry>();
  const actions = useActionGroup(acted);
  const { groups: found, hold } = useHeld(text);
  const shown = actions === undefined ? found : [filtered(actions, text)];
  const groups = shown.filter((group) => group.entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  const { list, move } = useFirstLine(text, entries[0]?.id);
  const { words } = questionIn(text);
  const choose = (id: unknown, isNewTab = false) => {
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined || entry.reasonNot !== undefined) return;
    closeOverlay();
    if (entry.to === undefined) entry.run?.();
    else if (isNewTab) window.open(entry.to, '_blank', 'noopener');
    else router.history.push(entry.to);
  };
  const turnTo = (entry: PaletteEntry | undefined) => {
    setActed(entry);
    setText('');
  };
  /** Keys of lines, which the box has the focus above of. */
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key.startsWith('Arrow')) move();
    const id = event.currentTarget.querySelector('[role=option][data-focused]')?.getAttribute('data-key');
    // The first line stands out as soon as the list has noticed that it is there; keys may be quicker.
    const entry = entries.find((one) => one.id === id) ?? (text === '' ? undefined : entries[0]);
    const act = actOf(event, entry, { isActed: acted !== undefined, isEmpty: text === '' });
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (act === 'new-tab') choose(entry?.id, true);
    else turnTo(act === 'actions' ? entry : undefined);
  };
  return (
    <BareDialog label={shell.palette.title} isOpen onClose={closeOverlay} width="palette">
      <div role="presentation" onKeyDownCapture={press} onPointerDownCapture={hold} onPointerMove={move}>
        <Autocomplete inputValue={text} onInputChange={setText}>
          <SearchField aria-label={shell.palette.title} autoFocus className={styles['box'] ?? ''}>
            <Icon name="search" />
            <Input placeholder={shell.palette.placeholder} className={styles['input'] ?? ''} />
          </SearchField>
          <ListBox
            ref={list}
            aria-label={shell.palette.title}
            className={styles['list'] ?? ''}
            onAction={choose}
            renderEmptyState={() => <p className={styles['empty']}>{shell.palette.nothing}</p>}
          >
            {groups.map((group) => (
              <ListBoxSection key={group.id} id={group.id}>
                <Header className={styles['group'] ?? ''}>{group.name}</Header>
                {group.entries.map((entry) => (
                  <ListBoxItem
                    key={entry.id}
                    id={entry.id}
                    textValue={entry.name}
                    className={styles['entry'] ?? ''}
                    isDisabled={entry.reasonNot !== undefined}
                  >
                    <Line entry={entry} words={words} />
                  </ListBoxItem>
                ))}
              </ListBoxSection>
            ))}
          </ListBox>
        </Autocomplete>
      </div>
      <Feet />
    </BareDialog>
  );
}
