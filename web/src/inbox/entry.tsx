import type { MouseEvent } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { personOf } from '../shell/index.ts';
import type { Notification } from '../store/index.ts';
import { classes, Face, IconButton, RelativeTime, TrackerMark, Unseen } from '../ui/index.ts';
import styles from './inbox.module.css';

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/** What happened, between who did it and what it happened to. */
function useDeed(): (entry: Notification) => string {
  const { did } = useMessages().inbox;
  const formats = useFormats();
  return ({ reason, changes, excerpt }) => {
    if (reason === 'mention' && excerpt !== null) return did.mention;
    const [first, ...others] = changes;
    if (first === undefined) return excerpt === null ? did.created : did.commented;
    return others.length === 0 ? did.changedOne(first) : did.changed(formats.number(changes.length));
  };
}

/** The last line: what was said, what was changed, or why one is told. */
function useDetail(): (entry: Notification) => string {
  const { inbox } = useMessages();
  const formats = useFormats();
  return ({ excerpt, changes, reason }) =>
    excerpt ?? (changes.length > 1 ? formats.list(changes) : inbox.reasons[reason]);
}

export interface EntryProps {
  readonly entry: Notification;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  onOpen(): void;
  onFocus(): void;
  onDone(): void;
  onSnooze(): void;
}

/** One artifact of which there are news. */
export function Entry({ entry, isCurrent, isOpen, onOpen, onFocus, onDone, onSnooze }: EntryProps) {
  const { inbox } = useMessages();
  const formats = useFormats();
  const deedOf = useDeed();
  const detailOf = useDetail();
  const { id, artifact, by, date, is_read: isRead, is_done: isDone, snoozed_until: until, count } = entry;
  const [last, ...others] = by;
  const person = last === undefined ? undefined : personOf(last);
  const name = person?.name ?? '';
  return (
    <li
      className={classes(
        styles['entry'],
        !isRead && styles['unread'],
        isOpen && styles['open'],
        isCurrent && styles['current'],
      )}
    >
      <a
        href={`/artifacts/${artifact.id}`}
        data-entry={id}
        className={styles['link']}
        {...(isOpen ? { 'aria-current': 'true' } : {})}
        onFocus={onFocus}
        onClick={(event) => {
          if (!isPlain(event)) return;
          event.preventDefault();
          onOpen();
        }}
      >
        <span className={styles['dot']}>{!isRead && <Unseen>{inbox.unread}</Unseen>}</span>
        {person && <Face {...person} size={24} />}
        <span className={styles['words']}>
          <span className={styles['deed']}>
            <b>{others.length === 0 ? name : inbox.andOthers(name, others.length)}</b> {deedOf(entry)}{' '}
            <span className={styles['reference']}>
              <TrackerMark colour={artifact.tracker.color_name} />
              {artifact.xref}
            </span>
          </span>
          <span className={styles['title']}>{artifact.title ?? inbox.untitled}</span>
          <span className={styles['detail']}>
            {count > 1 && `${inbox.changes(formats.number(count))} · `}
            {detailOf(entry)}
          </span>
        </span>
        <span className={styles['age']}>
          {until === null ? (
            <RelativeTime at={date} />
          ) : (
            <time dateTime={until} title={formats.exact(until)}>
              {inbox.snoozedUntil(formats.moment(until))}
            </time>
          )}
        </span>
      </a>
      <span className={styles['acts']}>
        {!isDone && (
          <IconButton
            icon="clock"
            size="small"
            label={`${inbox.snooze}: ${artifact.xref}`}
            onPress={onSnooze}
          />
        )}
        <IconButton
          icon={isDone ? 'arrow-back-up' : 'check'}
          size="small"
          label={`${isDone ? inbox.notDone : inbox.done}: ${artifact.xref}`}
          onPress={onDone}
        />
      </span>
    </li>
  );
}
