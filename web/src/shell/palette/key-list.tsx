import { useMessages } from '../../messages/index.ts';
import { usePreference } from '../../store/index.ts';
import { Button, Dialog, Key } from '../../ui/index.ts';
import { type Command, shownKeys, useAllCommands, workingKeys } from '../commands.ts';
import { closeOverlay } from '../overlays.ts';
import styles from './palette.module.css';

function KeyLine({ command, keys }: { readonly command: Command; readonly keys: readonly string[] }) {
  return (
    <li className={styles['keyLine']}>
      <span>{command.name}</span>
      <span className={styles['keyCaps']}>
        {keys.map((each) => (
          <Key key={each} keys={shownKeys(each)} />
        ))}
      </span>
    </li>
  );
}

/** The keys that do something on this page, and no others. */
export function KeyList() {
  const { shell, ui } = useMessages();
  const [letters] = usePreference('web.letters');
  const all = useAllCommands();
  const lines = all.map((command) => ({ command, keys: workingKeys(command, all) }));
  return (
    <Dialog
      title={shell.keysPage.title}
      isOpen
      onClose={closeOverlay}
      width="medium"
      buttons={<Button onPress={closeOverlay}>{ui.close}</Button>}
    >
      {letters === 'off' && <p>{shell.keysPage.lettersOff}</p>}
      <ul className={styles['keyList']}>
        {lines.map((line) => line.keys.length > 0 && <KeyLine key={line.command.id} {...line} />)}
      </ul>
    </Dialog>
  );
}
