import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { Button, Dialog } from '../ui/index.ts';
import { takeBack, useRecentNotices } from './notices.ts';
import { closeOverlay } from './overlays.ts';
import styles from './recent-actions.module.css';

/** What was told lately, also after it went from the edge of the page; what can still be taken back can be so here. */
export function RecentActions() {
  const { shell, ui } = useMessages();
  const formats = useFormats();
  const notices = useRecentNotices();
  return (
    <Dialog
      title={shell.recentActions}
      isOpen
      onClose={closeOverlay}
      width="medium"
      buttons={<Button onPress={closeOverlay}>{ui.close}</Button>}
    >
      {notices.length === 0 && <p>{shell.noRecentActions}</p>}
      <ul>
        {notices.map(({ id, text, time, undo }) => (
          <li key={id} className={styles['action']}>
            <span className={styles['text']}>{text}</span>
            <time className={styles['time']}>{formats.time(deviceMoment(time))}</time>
            {undo !== undefined && (
              <Button size="small" aria-label={`${shell.undo}: ${text}`} onPress={() => takeBack(id)}>
                {shell.undo}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
