import { currentMessages } from '../messages/index.ts';
import type { ChangeEvent, PendingChange } from '../store/index.ts';
import { notify } from './notices.ts';

/** Rooms that can open a control with what was typed say so here. */
type EditAgain = (change: PendingChange) => void;
type Choose = (change: PendingChange) => void;
/** The one that was opened last is in front; the others take over when it is closed. */
const editors: EditAgain[] = [];
const choosers: Choose[] = [];

function provided<Open>(all: Open[], open: Open): () => void {
  all.push(open);
  return () => {
    const place = all.lastIndexOf(open);
    if (place >= 0) all.splice(place, 1);
  };
}

/** A room opens the control again that a refused change came from. */
export function provideEditAgain(open: EditAgain): () => void {
  return provided(editors, open);
}

/** A room shows both versions, and lets somebody choose. */
export function provideConflict(open: Choose): () => void {
  return provided(choosers, open);
}

const withoutPhrase = (message: string) => message.replace(/^[A-Z][A-Za-z ]+: /, '');

function writtenIn({ fields, comment }: PendingChange): string {
  const values = fields.map(({ label, entry }) => `${label}: ${JSON.stringify(entry['value'] ?? entry)}`);
  return [...values, comment?.body ?? ''].filter((text) => text !== '').join('\n');
}

const copying = (change: PendingChange) => ({
  name: currentMessages().shell.copyWhatIWrote,
  run: () => void navigator.clipboard.writeText(writtenIn(change)),
});

/** Tells people what came of a change, where it needs them. */
export function tellChange(event: ChangeEvent): void {
  const { shell, ui } = currentMessages();
  const { change } = event;
  const [editAgain, choose] = [editors.at(-1), choosers.at(-1)];
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
  if (event.kind === 'conflict')
    notify({
      kind: 'bad',
      text: shell.conflict,
      ...(choose === undefined ? {} : { action: { name: shell.choose, run: () => choose?.(change) } }),
    });
}
