import { NotFoundError } from '@atelier/client';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { signIn, wordsOfError } from '../../store/index.ts';
import { Button, Note, PasswordField } from '../../ui/index.ts';
import { Studio } from '../studio.tsx';
import { redeemReset } from './calls.ts';
import { usePasswordFaults } from './change-password.tsx';
import styles from './sign-in.module.css';

/** `/password/reset?token=`: chooses a password by a link, and signs in with it. */
export function ResetPasswordPage() {
  const words = useMessages().signing;
  const { token = '' } = useSearch({ from: '/password/reset' });
  const router = useRouter();
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(token === '');
  const [refused, setRefused] = useState<string>();
  const faults = usePasswordFaults({ first, second });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (faults.first !== null || faults.second !== null || isBusy) return;
    setBusy(true);
    setRefused(undefined);
    try {
      const name = await redeemReset(token, first);
      await signIn({ name, password: first, isSharedComputer: false });
      router.history.replace('/');
    } catch (error) {
      if (error instanceof NotFoundError) setOver(true);
      else setRefused(wordsOfError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Studio title={words.resetTitle}>
      {isOver ? (
        <Note meaning="bad" isAlert>
          {words.linkOver}
        </Note>
      ) : (
        <form className={styles['form']} noValidate onSubmit={submit}>
          <PasswordField
            label={words.newPassword}
            autoComplete="new-password"
            size="large"
            autoFocus
            value={first}
            onChange={setFirst}
            help={faults.rule}
            fault={refused ?? (isTried ? faults.first : null)}
          />
          <PasswordField
            label={words.again2}
            autoComplete="new-password"
            size="large"
            value={second}
            onChange={setSecond}
            fault={isTried ? faults.second : null}
          />
          <Button
            type="submit"
            kind="primary"
            size="large"
            isBusy={isBusy}
            className={styles['submit'] ?? ''}
          >
            {words.resetButton}
          </Button>
        </form>
      )}
      <div className={styles['links']}>
        <Link href="/login">{words.backToSignIn}</Link>
      </div>
    </Studio>
  );
}
