import type { Tracker } from '@atelier/client/routes';
import { type KeyboardEvent, useRef, useState } from 'react';
import { newUuid } from '../kernel/uuid.ts';
import { useMessages } from '../messages/index.ts';
import { openCreation } from '../shell/index.ts';
import { createArtifact, type FieldEntry, wordsOfError } from '../store/index.ts';
import { Icon } from '../ui/index.ts';
import styles from './board.module.css';

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
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  /** The same for every attempt to store the same card. */
  const key = useRef(newUuid());
  if (!isOpen)
    return (
      <button
        type="button"
        className={styles['add']}
        aria-label={words.addTo(columnName)}
        onClick={() => onOpenChange(true)}
      >
        <Icon name="plus" />
        {words.add}
      </button>
    );
  const send = async () => {
    if (title.trim() === '' || isBusy) return;
    setBusy(true);
    try {
      await createArtifact({ trackerId: tracker.id, values: valuesWith(title.trim()), key: key.current });
      setTitle('');
      setFault(undefined);
    } catch (error) {
      setFault(wordsOfError(error));
    }
    key.current = newUuid();
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) void send();
    else if (event.key === 'Escape') onOpenChange(false);
    else return event.stopPropagation();
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
        aria-invalid={fault !== undefined}
        placeholder={words.newTitle}
        className={styles['newTitle']}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => title.trim() === '' && fault === undefined && onOpenChange(false)}
      />
      {fault !== undefined && (
        <p role="alert" className={styles['fault']}>
          {fault}{' '}
          <button
            type="button"
            className={styles['link']}
            onClick={() => openCreation({ tracker: tracker.uri, title })}
          >
            {words.wholeForm}
          </button>
        </p>
      )}
    </div>
  );
}
