import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useMessages } from '../messages/index.ts';
import { Button, classes, Note, NoteAction, Toast, Unseen } from '../ui/index.ts';
import styles from './frame.module.css';
import { closeNotice, type Notice, useLifted, useNotices, useSaid } from './notices.ts';

const usual = 6000;
const withUndo = 10_000;

/** It goes by itself, unless somebody points at it or is in it. */
function useGoing({ id, kind, undo, action }: Notice, isHeld: boolean): void {
  const stays = kind === 'bad';
  const time = undo === undefined && action === undefined ? usual : withUndo;
  useEffect(() => {
    if (stays || isHeld) return undefined;
    const timer = setTimeout(() => closeNotice(id), time);
    return () => clearTimeout(timer);
  }, [id, stays, isHeld, time]);
}

function ShownNotice({ notice }: { readonly notice: Notice }) {
  const { shell, ui } = useMessages();
  const [isHeld, setHeld] = useState(false);
  useGoing(notice, isHeld);
  const { id, text, kind, undo, action } = notice;
  const act = (run: () => void) => () => {
    closeNotice(id);
    run();
  };
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  };
  const acts = (
    <>
      {action !== undefined &&
        (kind === 'bad' ? (
          <NoteAction onPress={act(action.run)}>{action.name}</NoteAction>
        ) : (
          <Button kind="inverse" size="small" onPress={act(action.run)}>
            {action.name}
          </Button>
        ))}
      {undo !== undefined && (
        <Button kind="inverse" size="small" onPress={act(undo)}>
          {shell.undo}
        </Button>
      )}
    </>
  );
  return (
    <li className={styles['notice']} {...hold}>
      {kind === 'bad' ? (
        <Note
          meaning="bad"
          actions={
            <>
              {acts}
              <NoteAction onPress={() => closeNotice(id)}>{ui.close}</NoteAction>
            </>
          }
        >
          {text}
        </Note>
      ) : (
        <Toast action={acts} onClose={() => closeNotice(id)}>
          {text}
        </Toast>
      )}
    </li>
  );
}

/** What happened, at the edge of the page; told once to those who listen. */
export function NoticeList() {
  const { shell } = useMessages();
  const notices = useNotices();
  const said = useSaid();
  const isLifted = useLifted();
  return (
    <>
      {notices.length > 0 && (
        <section aria-label={shell.notices}>
          <ul className={classes(styles['notices'], isLifted && styles['lifted'])}>
            {notices.map((notice) => (
              <ShownNotice key={notice.id} notice={notice} />
            ))}
          </ul>
        </section>
      )}
      {createPortal(
        // Beside the page and not in it: a dialog hides the page from those who listen, but not this.
        <div className={styles['said']} role="status" aria-live="polite" data-live-announcer="true">
          <Unseen>{said}</Unseen>
        </div>,
        document.body,
      )}
    </>
  );
}
