import { useMessages } from '../../messages/index.ts';
import { usePreference } from '../../store/index.ts';
import { Button, Dialog, Key } from '../../ui/index.ts';
import { type Command, keysOf, shownKeys, useAllCommands } from '../commands.ts';
import { closeOverlay } from '../overlays.ts';
import styles from './palette.module.css';

function KeyLine({ command }: { readonly command: Command }) {
  return (
    <li className={styles['keyLine']}>
      <span>{command.name}</span>
      <span className={styles['keyCaps']}>
        {keysOf(command).map((keys) => (
          <Key key={keys} keys={shownKeys(keys)} />
        ))}
      </span>
    </li>
  );
}

/** The keys that do something on this page, and no others. */
export function KeyList() {
  const { shell, ui } = useMessages();
  const [letters] = usePreference('web.letters');
  const commands = useAllCommands().filter(
    (command) => keysOf(command).length > 0 && command.reasonNot === undefined,
  );
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
        {commands.map((command) => (
          <KeyLine key={command.id} command={command} />
        ))}
      </ul>
    </Dialog>
  );
}
