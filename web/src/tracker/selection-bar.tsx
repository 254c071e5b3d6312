import { useEffect } from 'react';
import { useMessages } from '../messages/index.ts';
import { announce, notify } from '../shell/index.ts';
import { knownThing } from '../store/index.ts';
import { Button, IconButton } from '../ui/index.ts';
import { rowFacet } from './calls.ts';
import styles from './table.module.css';

export interface SelectionBarProps {
  readonly selected: ReadonlySet<string>;
  readonly onDeselect: () => void;
}

/** What can be done with the rows that are selected; it takes room from the list and covers no row. */
export function SelectionBar({ selected, onDeselect }: SelectionBarProps) {
  const { tracker: words } = useMessages();
  const count = selected.size;
  useEffect(() => {
    if (count > 0) announce(words.selected(count));
  }, [count, words]);
  if (count === 0) return null;
  const copy = async () => {
    const references = [...selected].map((uri) => knownThing(uri, rowFacet)?.body.xref ?? uri);
    await navigator.clipboard.writeText(references.join('\n'));
    notify({ text: words.copied });
  };
  return (
    <section className={styles['selection']} aria-label={words.selected(count)}>
      <strong>{words.selected(count)}</strong>
      <Button kind="inverse" size="small" icon="copy" onPress={() => void copy()}>
        {words.copyReferences}
      </Button>
      <span className={styles['rest']} />
      <IconButton
        icon="x"
        label={words.deselect}
        keys="escape"
        kind="inverse"
        size="small"
        onPress={onDeselect}
      />
    </section>
  );
}
