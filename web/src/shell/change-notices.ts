import { currentMessages } from '../messages/index.ts';
import type { ChangeEvent, PendingChange } from '../store/index.ts';
import { notify } from './notices.ts';

/** Rooms that can open a control with what was typed say so here. */
type EditAgain = (change: PendingChange) => void;
type Choose = (change: PendingChange) => void;
let editAgain: EditAgain | undefined;
let choose: Choose | undefined;

/** The room of artifacts opens the control again that a refused change came from. */
export function provideEditAgain(open: EditAgain): () => void {
  editAgain = open;
  return () => {
    editAgain = undefined;
  };
}

/** The room of artifacts shows both versions, and lets somebody choose. */
export function provideConflict(open: Choose): () => void {
  choose = open;
  return () => {
    choose = undefined;
  };
}

const withoutPhrase = (message: string) => message.replace(/^[A-Z][A-Za-z ]+: /, '');

function writtenIn({ fields, comment }: PendingChange): string {
  const values = fields.map(({ label, entry }) => `${label}: ${JSON.stringify(entry['value'] ?? entry)}`);
  return [...values, comment?.body ?? ''].filter((text) => text !== '').join('\n');
}

/** Tells people what came of a change, where it needs them. */
export function tellChange(event: ChangeEvent): void {
  const { shell, ui } = currentMessages();
  const { change } = event;
  const label = change.fields.map((field) => field.label).join(', ');
  if (event.kind === 'refused') {
    const words = withoutPhrase(event.error.message);
    notify({
      kind: 'bad',
      text: label === '' ? shell.commentRefused(words) : shell.refused(label, words),
      ...(editAgain === undefined ? {} : { action: { name: ui.editAgain, run: () => editAgain?.(change) } }),
    });
  }
  if (event.kind === 'gone')
    notify({
      kind: 'bad',
      text: shell.gone,
      action: {
        name: shell.copyWhatIWrote,
        run: () => void navigator.clipboard.writeText(writtenIn(change)),
      },
    });
  if (event.kind === 'conflict')
    notify({
      kind: 'bad',
      text: shell.conflict,
      ...(choose === undefined ? {} : { action: { name: shell.choose, run: () => choose?.(change) } }),
    });
}
