import { TooManyRequestsError } from '@atelier/client';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { useAbout, wordsOfError } from '../../store/index.ts';
import { Button, Note, TextField } from '../../ui/index.ts';
import { useCountdown } from '../countdown.ts';
import { Studio } from '../studio.tsx';
import { askForReset } from './calls.ts';
import styles from './sign-in.module.css';

/** `/password/lost`: the answer is the same whether there is such an account or not. */
export function LostPasswordPage() {
  const words = useMessages().signing;
  const cannotSend = useAbout()?.has_mail === false;
  const [login, setLogin] = useState('');
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [seconds, countDown] = useCountdown();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || login.trim() === '' || seconds > 0) return;
    setBusy(true);
    setFault(undefined);
    try {
      await askForReset(login.trim());
      setSent(true);
    } catch (error) {
      if (error instanceof TooManyRequestsError) countDown(error.retryAfter ?? 60);
      else setFault(wordsOfError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Studio title={words.lostTitle}>
      {isSent || cannotSend ? (
        <Note meaning={isSent ? 'good' : 'care'} isAlert>
          {isSent ? words.lostSent : words.askForLink}
        </Note>
      ) : (
        <>
          <p className={styles['words']}>{words.lostWords}</p>
          <form className={styles['form']} noValidate onSubmit={submit}>
            <TextField
              label={words.lostField}
              autoComplete="username"
              size="large"
              autoFocus
              value={login}
              onChange={setLogin}
              fault={seconds > 0 ? words.tooMany(seconds) : (fault ?? null)}
            />
            <Button
              type="submit"
              kind="primary"
              size="large"
              isBusy={isBusy}
              isDisabled={seconds > 0}
              className={styles['submit'] ?? ''}
            >
              {words.lostButton}
            </Button>
          </form>
        </>
      )}
      <div className={styles['links']}>
        <Link href="/login">{words.backToSignIn}</Link>
      </div>
    </Studio>
  );
}
