import { type Field, fieldTypeOf } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { type Command, useCommands } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { holdKeys } from '../ui/index.ts';
import { editAgain } from './edit-again.ts';
import type { Layout } from './layout.ts';
import { addressOf, copy } from './more.tsx';
import type { SeenArtifact } from './seen.ts';
import { useWatchToggles } from './watch.tsx';

/** The letters below, as they are typed. */
export const keysOfArtifact = 'esadplwWmyY';

/** Letters open the controls of the fields that have that meaning here. */
export function useArtifactCommands(
  seen: SeenArtifact,
  layout: Layout,
  leavesKeys: readonly string[] = [],
): void {
  const { artifact: words } = useMessages();
  const { uri, xref } = seen.artifact;
  const byId = (id: number | undefined) => seen.tracker.fields.find(({ field_id: each }) => each === id);
  const opening = (id: string, keys: string, field: Field | undefined): Command[] =>
    field === undefined
      ? []
      : [
          {
            id: `artifact.${id}`,
            name: words.edit(field.label),
            keys: leavesKeys.includes(keys) ? undefined : keys,
            run: () => open(uri, field),
          },
        ];
  const { semantics } = seen.tracker;
  const { user } = useStanding();
  const { watching, toggleWatch, toggleMute } = useWatchToggles(seen.artifact.id);
  useCommands([
    ...opening('title', 'e', layout.title),
    ...opening('status', 's', layout.status),
    ...opening('assignee', 'a', byId(semantics.contributor?.field_id)),
    ...opening('due', 'd', byId(semantics.timeframe?.end_date_field_id)),
    ...opening(
      'priority',
      'p',
      layout.strip.find(({ name }) => /^(priority|severity)/i.test(name)),
    ),
    ...opening(
      'labels',
      'l',
      layout.strip.find(({ type }) => fieldTypeOf(type).takesNewWords === true),
    ),
    ...(watching === undefined
      ? []
      : [
          {
            id: 'artifact.watch',
            name: watching.is_watching ? words.unwatch : words.watch,
            keys: 'w',
            run: toggleWatch,
          },
          {
            id: 'artifact.mute',
            name: watching.is_muted ? words.unmute : words.mute,
            keys: 'shift+w',
            run: toggleMute,
          },
        ]),
    ...(user === null
      ? []
      : [
          {
            id: 'artifact.comment',
            name: words.commentLabel,
            keys: 'm',
            run: () => focusComposer(seen.artifact.id),
          },
        ]),
    {
      id: 'artifact.address',
      name: words.copyAddress,
      keys: 'y',
      run: () => copy(addressOf(seen), words.copied),
    },
    {
      id: 'artifact.reference',
      name: words.copyReference(xref),
      keys: 'shift+y',
      run: () => copy(xref, words.copied),
    },
  ]);
}

/** Choices have a button that opens them, the others a control of their own. */
function open(uri: string, field: Field): void {
  if (editAgain(uri, field.field_id)) return;
  document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field.name)}"] button`)?.click();
}

/** Milliseconds that it may take until one can comment; nobody may comment where it takes longer. */
const patience = 5000;

/**
 * It is drawn last: who is quicker gets it as soon as it is there, with what they type meanwhile, unless they do something else. Before the
 * artifact is drawn, nobody knows whether it can be commented on.
 */
export function focusComposer(id: number, keys = holdKeys({ hasLines: true })): void {
  const given = new AbortController();
  const give = (control: string) => {
    const editor = document.querySelector<HTMLElement>(`[data-composer="${id}"] ${control}`);
    if (editor === null) return;
    editor.scrollIntoView({ block: 'center' });
    keys.giveTo(editor);
    given.abort();
  };
  // Not the field that stands there while the editor is on its way.
  const look = () => give('[contenteditable]');
  look();
  const { signal } = given;
  if (signal.aborted) return;
  const coming = new MutationObserver(look);
  coming.observe(document.body, { childList: true, subtree: true });
  const leave = () => given.abort();
  const timer = setTimeout(() => {
    give('textarea');
    leave();
  }, patience);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    coming.disconnect();
    keys.end();
  });
  window.addEventListener('pointerdown', leave, { capture: true, signal });
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && leave(), { capture: true, signal });
}
