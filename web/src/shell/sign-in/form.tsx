import { ApiError, TooManyRequestsError, UnauthorizedError } from '@atelier/client';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { signIn } from '../../store/index.ts';
import { Button, Checkbox, Icon, PasswordField, TextField } from '../../ui/index.ts';
import { useCountdown } from '../countdown.ts';
import styles from './sign-in.module.css';

/** Whether capital letters are locked, as far as keys tell. */
function useCapsLock() {
  const [isOn, setOn] = useState(false);
  const look = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'));
  return [isOn, { onKeyDown: look, onKeyUp: look }] as const;
}

type Refusal = { readonly kind: 'wrong' | 'away' } | { readonly kind: 'words'; readonly words: string };

function refusalOf(error: unknown): Refusal {
  if (error instanceof UnauthorizedError) return { kind: 'wrong' };
  if (error instanceof ApiError && error.status < 500)
    return { kind: 'words', words: error.message.replace(/^[A-Z][\w ]+: /, '') };
  return { kind: 'away' };
}

export interface SignInFormProps {
  /** A name that cannot be changed: of whom the session was. */
  readonly name?: string | undefined;
  readonly isShared?: boolean | undefined;
  onSignedIn(): void;
  /** Stands below the button. */
  readonly children?: ReactNode;
}

/** Name and password, and what came of them. */
export function SignInForm({ name: given, onSignedIn, children }: SignInFormProps) {
  const { signing: words } = useMessages();
  const [name, setName] = useState(given ?? '');
  const [password, setPassword] = useState('');
  const [isShared, setShared] = useState(false);
  const [missing, setMissing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [seconds, countDown] = useCountdown();
  const [hasCapsLock, capsLockKeys] = useCapsLock();
  const passwordBox = useRef<HTMLInputElement>(null);
  const nameBox = useRef<HTMLInputElement>(null);

  const refuse = (error: unknown) => {
    if (error instanceof TooManyRequestsError) {
      setRefusal(undefined);
      countDown(error.retryAfter ?? 30);
      return;
    }
    setRefusal(refusalOf(error));
    passwordBox.current?.select();
  };
  const submit = async () => {
    setMissing(true);
    if (name.trim() === '' || password === '') {
      (name.trim() === '' ? nameBox : passwordBox).current?.focus();
      return;
    }
    setBusy(true);
    setRefusal(undefined);
    try {
      await signIn({ name: name.trim(), password, isSharedComputer: isShared });
      onSignedIn();
    } catch (error) {
      refuse(error);
    } finally {
      setBusy(false);
    }
  };
  useAgainWhileAway(refusal?.kind === 'away' && !isBusy, submit);

  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (seconds === 0 && !isBusy) void submit();
      }}
    >
      <TextField
        label={words.name}
        name="username"
        autoComplete="username"
        value={name}
        onChange={setName}
        size="large"
        autoFocus={given === undefined}
        isReadOnly={given !== undefined}
        spellCheck="false"
        inputRef={nameBox}
        fault={missing && name.trim() === '' ? words.nameMissing : null}
      />
      <div {...capsLockKeys}>
        <PasswordField
          label={words.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          size="large"
          autoFocus={given !== undefined}
          inputRef={passwordBox}
          fault={missing && password === '' ? words.passwordMissing : null}
        />
        {hasCapsLock && (
          <p className={styles['caps']}>
            <Icon name="alert-triangle" size={14} />
            {words.capsLock}
          </p>
        )}
      </div>
      <Checkbox isSelected={isShared} onChange={setShared}>
        {words.shared}
      </Checkbox>
      <div role="alert" className={styles['alert']}>
        {(refusal !== undefined || seconds > 0) && (
          <p className={styles['refusal']}>
            <Icon name="alert-circle" size={16} />
            <span>{seconds > 0 ? words.tooMany(seconds) : refusal && wordsOf(refusal, words)}</span>
          </p>
        )}
      </div>
      <Button
        type="submit"
        kind="primary"
        size="large"
        isBusy={isBusy}
        isDisabled={seconds > 0}
        className={styles['submit'] ?? ''}
      >
        {words.button}
      </Button>
      {children}
    </form>
  );
}

const wordsOf = (refusal: Refusal, words: { readonly wrong: string; readonly away: string }): string =>
  refusal.kind === 'words' ? refusal.words : words[refusal.kind];

/** The server is away: what was typed is sent again every few seconds. */
function useAgainWhileAway(isAway: boolean, submit: () => Promise<void>): void {
  const latest = useRef(submit);
  useEffect(() => {
    latest.current = submit;
  });
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setTimeout(() => void latest.current(), 3000);
    return () => clearTimeout(timer);
  }, [isAway]);
}
