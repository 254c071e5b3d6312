import type { Tracker } from '@atelier/client/routes';
import { type KeyboardEvent, useRef, useState } from 'react';
import { newUuid } from '../kernel/uuid.ts';
import { useMessages } from '../messages/index.ts';
import { announce, openCreation } from '../shell/index.ts';
import { createArtifact, type FieldEntry, wordsOfError } from '../store/index.ts';
import { focusBack, Icon } from '../ui/index.ts';
import styles from './board.module.css';

/** A card that was not stored, as far as is known: sent again, it is the same one. */
interface RefusedCard {
  readonly title: string;
  readonly fault: string;
  readonly key: string;
}

export interface AddCardProps {
  readonly tracker: Tracker;
  readonly columnName: string;
  /** What a new card of this place has beside its title. */
  readonly valuesWith: (title: string) => readonly FieldEntry[];
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Creates cards where they belong, one after the other: Enter stores, Escape leaves. */
export function AddCard({ tracker, columnName, valuesWith, isOpen, onOpenChange }: AddCardProps) {
  const { board: words } = useMessages();
  const [title, setTitle] = useState('');
  const [refused, setRefused] = useState<RefusedCard>();
  const button = useRef<HTMLButtonElement>(null);
  /** Cards are stored in the order in which they were written. */
  const stored = useRef<Promise<void>>(Promise.resolve());
  if (!isOpen)
    return (
      <button
        ref={button}
        type="button"
        className={styles['add']}
        aria-label={words.addTo(columnName)}
        onClick={() => onOpenChange(true)}
      >
        <Icon name="plus" />
        {words.add}
      </button>
    );
  const store = async (written: string, key: string) => {
    try {
      await createArtifact({ trackerId: tracker.id, values: valuesWith(written), key });
      announce(words.added(written, columnName));
    } catch (error) {
      setRefused({ title: written, fault: wordsOfError(error), key });
      // Whoever writes the next one already is not interrupted.
      setTitle((now) => (now === '' ? written : now));
      onOpenChange(true);
    }
  };
  /** The next one can be written while this one is on its way. */
  const send = () => {
    const written = title.trim();
    if (written === '') return;
    setTitle('');
    setRefused(undefined);
    const key = refused?.title === written ? refused.key : newUuid();
    stored.current = stored.current.then(() => store(written, key));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) send();
    else if (event.key === 'Escape') {
      onOpenChange(false);
      focusBack(button);
    } else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles['adding']}>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: somebody has just asked to write here.
        autoFocus
        rows={2}
        aria-label={words.newTitle}
        aria-invalid={refused !== undefined}
        placeholder={words.newTitle}
        className={styles['newTitle']}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => title.trim() === '' && refused === undefined && onOpenChange(false)}
      />
      {refused !== undefined && (
        <p role="alert" className={styles['fault']}>
          {refused.fault}{' '}
          <button
            type="button"
            className={styles['link']}
            onClick={() => openCreation({ tracker: tracker.uri, title: refused.title })}
          >
            {words.wholeForm}
          </button>
        </p>
      )}
    </div>
  );
}
