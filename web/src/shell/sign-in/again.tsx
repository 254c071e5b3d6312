import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { usePendingChanges, useStanding } from '../../store/index.ts';
import { Dialog } from '../../ui/index.ts';
import { SignInForm } from './form.tsx';
import styles from './sign-in.module.css';

/** Over the page on which the session ended: nothing behind it moves. */
export function SignInAgain() {
  const { signing: words } = useMessages();
  const { user } = useStanding();
  const waiting = usePendingChanges().length;
  const [isOther, setOther] = useState(false);
  const name = user?.display_name ?? '';
  return (
    <Dialog title={words.again} isOpen onClose={() => undefined} isDismissable={false}>
      <p className={styles['dialogWords']}>
        {isOther ? words.somebodyElseWords(name, waiting) : words.againWords}
      </p>
      <SignInForm
        key={String(isOther)}
        name={isOther ? undefined : (user?.username ?? undefined)}
        onSignedIn={() => undefined}
      >
        {!isOther && (
          <div className={styles['links']}>
            <button type="button" onClick={() => setOther(true)}>
              {words.somebodyElse}
            </button>
          </div>
        )}
      </SignInForm>
    </Dialog>
  );
}
