import { currentMessages } from '../messages/index.ts';
import { type ChangeEvent, type PendingChange, pendingChanges, withoutPhrase } from '../store/index.ts';
import { copyText } from '../ui/index.ts';
import { changeOpeners } from './change-openers.ts';
import { notify, withdraw } from './notices.ts';

/** What somebody typed, as they typed it. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  const text: unknown = value instanceof Object && 'content' in value ? value.content : undefined;
  return typeof text === 'string' ? text : JSON.stringify(value);
}

function writtenIn({ fields, comment }: PendingChange): string {
  const values = fields.map(({ label, entry }) => `${label}: ${plain(entry['value'] ?? entry)}`);
  return [...values, comment?.body ?? ''].filter((text) => text !== '').join('\n');
}

const copying = (change: PendingChange) => ({
  name: currentMessages().shell.copyWhatIWrote,
  run: () => void copyText(writtenIn(change)),
});

/**
 * Tells people what came of a change, where it needs them. Where no room shows both versions of a conflict, `open` leads to the artifact,
 * which does.
 */
export function tellChange(event: ChangeEvent, open: (change: PendingChange) => void): void {
  const { shell, ui } = currentMessages();
  const { change } = event;
  const { editAgain } = changeOpeners();
  if (event.kind !== 'stored') withdraw(change.id);
  const label = change.fields.map((field) => field.label).join(', ');
  if (event.kind === 'refused') {
    const words = withoutPhrase(event.error.message);
    const again =
      editAgain === undefined ? undefined : { name: ui.editAgain, run: () => editAgain?.(change) };
    // A comment is in its box again, unless something else is.
    notify({
      kind: 'bad',
      text: label === '' ? shell.commentRefused(words) : shell.refused(label, words),
      action: label === '' ? copying(change) : again,
    });
  }
  if (event.kind === 'gone')
    notify({
      kind: 'bad',
      text: shell.gone,
      action: copying(change),
    });
  if (event.kind === 'conflict') {
    notify({
      kind: 'bad',
      text: shell.conflict,
      change: change.id,
      action: { name: shell.choose, run: () => (changeOpeners().choose ?? open)(change) },
    });
    withdrawOnceChosen(change);
  }
}

/** A choice that was made is not asked for any longer, wherever it was made. */
function withdrawOnceChosen({ id }: PendingChange): void {
  const stop = pendingChanges.subscribe(() => {
    if (pendingChanges.get().some((change) => change.id === id && change.state === 'conflict')) return;
    stop();
    withdraw(id);
  });
}
