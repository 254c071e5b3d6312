import { useState } from 'react';
import { type SnoozeChoice, snoozedUntil, snoozedUntilDay } from '../kernel/snooze.ts';
import { useMessages } from '../messages/index.ts';
import type { Notification } from '../store/index.ts';
import { Button, Dialog, TextField } from '../ui/index.ts';
import styles from './inbox.module.css';

const choices: readonly SnoozeChoice[] = ['later', 'tomorrow', 'next-week'];

/** Until when an entry is put off. */
export function SnoozeDialog({
  entry,
  onClose,
  onChoose,
  onWake,
}: {
  readonly entry: Notification | undefined;
  onClose(): void;
  onChoose(entry: Notification, until: Date): void;
  onWake(entry: Notification): void;
}) {
  const { inbox } = useMessages();
  const [day, setDay] = useState('');
  const [isRefused, setRefused] = useState(false);
  const choose = (until: Date | undefined) => {
    if (entry === undefined) return;
    setRefused(until === undefined);
    if (until === undefined) return;
    setDay('');
    onClose();
    onChoose(entry, until);
  };
  return (
    <Dialog
      title={entry === undefined ? inbox.snooze : `${inbox.snooze}: ${entry.artifact.xref}`}
      isOpen={entry !== undefined}
      onClose={onClose}
      width="narrow"
      isDismissable
    >
      <div className={styles['choices']}>
        {choices.map((choice, index) => (
          <Button
            key={choice}
            autoFocus={index === 0}
            onPress={() => choose(snoozedUntil(choice, new Date()))}
          >
            {inbox.snoozes[choice]}
          </Button>
        ))}
        {entry !== undefined && entry.snoozed_until !== null && (
          <Button
            onPress={() => {
              onClose();
              onWake(entry);
            }}
          >
            {inbox.snoozes.none}
          </Button>
        )}
        <form
          className={styles['dayForm']}
          onSubmit={(event) => {
            event.preventDefault();
            choose(snoozedUntilDay(day, new Date()));
          }}
        >
          <TextField
            label={inbox.day}
            type="date"
            value={day}
            onChange={setDay}
            {...(isRefused ? { fault: inbox.dayFault } : {})}
          />
          <Button type="submit">{inbox.snooze}</Button>
        </form>
      </div>
    </Dialog>
  );
}
