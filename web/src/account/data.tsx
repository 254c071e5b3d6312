import type { ReactNode } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { emptyDevice, useStanding } from '../store/index.ts';
import { Button, SettingsPage } from '../ui/index.ts';
import styles from './account.module.css';
import { forgetVisited } from './calls.ts';

function Line({
  name,
  words,
  children,
}: {
  readonly name: string;
  readonly words: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles['row']}>
      <div className={styles['rowWords']}>
        <h2 className={styles['sectionName']}>{name}</h2>
        <p className={styles['faint']}>{words}</p>
      </div>
      {children}
    </div>
  );
}

/** Saves a text as a file of the person who looks. */
function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** What is kept, and how to be rid of it. */
export function DataSettings() {
  const { account } = useMessages();
  const words = account.data;
  const { preferences } = useStanding();
  const tell = (done: Promise<unknown>, text: string) => done.then(() => notify({ text }), tellFault);
  return (
    <SettingsPage title={account.pages.data} words={words.words}>
      <Line name={words.visited} words={words.visitedWords}>
        <Button onPress={() => tell(forgetVisited(), words.forgotten)}>{words.forget}</Button>
      </Line>
      <Line name={words.device} words={words.deviceWords}>
        <Button onPress={() => tell(emptyDevice(), words.emptied)}>{words.empty}</Button>
      </Line>
      <Line name={words.preferences} words={words.preferencesWords}>
        <Button
          icon="download"
          onPress={() => saveFile('atelier-preferences.json', JSON.stringify(preferences, null, 2))}
        >
          {words.download}
        </Button>
      </Line>
    </SettingsPage>
  );
}
