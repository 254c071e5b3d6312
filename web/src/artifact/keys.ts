import { type Field, fieldTypeOf } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { type Command, useCommands } from '../shell/index.ts';
import { holdKeys } from '../ui/index.ts';
import { editAgain } from './edit-again.ts';
import type { Layout } from './layout.ts';
import { addressOf, copy } from './more.tsx';
import type { SeenArtifact } from './seen.ts';
import { useWatchToggles } from './watch.tsx';

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
    { id: 'artifact.comment', name: words.commentLabel, keys: 'm', run: focusComposer },
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
export function focusComposer(): void {
  const given = new AbortController();
  const give = () => {
    const editor = document.querySelector<HTMLElement>(
      '[data-composer] [contenteditable], [data-composer] textarea',
    );
    if (editor === null) return;
    given.abort();
    editor.scrollIntoView({ block: 'center' });
    editor.focus();
  };
  give();
  if (given.signal.aborted) return;
  const coming = new MutationObserver(give);
  coming.observe(document.body, { childList: true, subtree: true });
  const keys = holdKeys();
  const leave = () => {
    keys.end();
    given.abort();
  };
  const timer = setTimeout(leave, patience);
  const { signal } = given;
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    coming.disconnect();
    keys.release();
  });
  window.addEventListener('pointerdown', leave, { capture: true, signal });
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && leave(), { capture: true, signal });
}
