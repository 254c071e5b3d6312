import { ApiError } from '@atelier/client';
import { type FormEvent, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { signOut, standingChanged, useAbout, wordsOfError } from '../../store/index.ts';
import { Button, PasswordField } from '../../ui/index.ts';
import { Studio } from '../studio.tsx';
import { changePassword } from './calls.ts';
import styles from './sign-in.module.css';

interface PasswordPair {
  readonly first: string;
  readonly second: string;
}

/** What is wrong with two passwords that are to be the same, by field. */
export function usePasswordFaults({ first, second }: PasswordPair) {
  const { signing } = useMessages();
  const length = useAbout()?.password_min_length ?? 8;
  return {
    rule: signing.rule(length),
    first: [...first].length < length ? signing.tooShort(length) : null,
    second: first === second ? null : signing.different,
  };
}

/** Every address shows this, and nothing else, to somebody whose password has expired. */
export function ChangeExpiredPassword() {
  const words = useMessages().signing;
  const { shell } = useMessages();
  const [current, setCurrent] = useState('');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ readonly current?: string; readonly first?: string }>({});
  const faults = usePasswordFaults({ first, second });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (faults.first !== null || faults.second !== null || isBusy) return;
    setBusy(true);
    setRefused({});
    try {
      await changePassword(current, first);
      await standingChanged();
    } catch (error) {
      const isCurrent = error instanceof ApiError && error.status === 403;
      const text = wordsOfError(error);
      setRefused(isCurrent ? { current: words.wrongCurrent } : { first: text });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Studio title={words.changeTitle}>
      <p className={styles['words']}>{words.changeWords}</p>
      <form className={styles['form']} noValidate onSubmit={submit}>
        <PasswordField
          label={words.currentPassword}
          autoComplete="current-password"
          size="large"
          autoFocus
          value={current}
          onChange={setCurrent}
          fault={refused.current ?? null}
        />
        <PasswordField
          label={words.newPassword}
          autoComplete="new-password"
          size="large"
          value={first}
          onChange={setFirst}
          help={faults.rule}
          fault={refused.first ?? (isTried ? faults.first : null)}
        />
        <PasswordField
          label={words.again2}
          autoComplete="new-password"
          size="large"
          value={second}
          onChange={setSecond}
          fault={isTried ? faults.second : null}
        />
        <Button type="submit" kind="primary" size="large" isBusy={isBusy} className={styles['submit'] ?? ''}>
          {words.changeButton}
        </Button>
        <div className={styles['links']}>
          <button type="button" onClick={() => void signOut()}>
            {shell.signOut}
          </button>
        </div>
      </form>
    </Studio>
  );
}
