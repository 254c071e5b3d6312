import { ApiError } from '@atelier/client';
import { type FormEvent, useState } from 'react';
import { readUserAgent } from '../kernel/user-agent.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify, tellFault, WaitingPlace } from '../shell/index.ts';
import { useAbout, wordsOfError } from '../store/index.ts';
import { Button, Checkbox, PasswordField, SettingsPage, Tag, Unseen } from '../ui/index.ts';
import styles from './account.module.css';
import { changeOwnPassword, endOtherSessions, endSession, type Session, useSessions } from './calls.ts';
import { isOfInput } from './faults.ts';

function PasswordForm() {
  const { account, signing } = useMessages();
  const { security } = account;
  const length = useAbout()?.password_min_length ?? 8;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [revokes, setRevokes] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const [wrong, setWrong] = useState<{ readonly at: 'current' | 'next'; readonly words: string }>();
  const tooShort = [...next].length < length ? signing.tooShort(length) : null;
  const differs = next === again ? null : signing.different;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isBusy || tooShort !== null || differs !== null) return;
    setBusy(true);
    setWrong(undefined);
    try {
      const { access_keys_left: left } = await changeOwnPassword({
        current_password: current,
        password: next,
        revoke_access_keys: revokes,
      });
      for (const clear of [setCurrent, setNext, setAgain]) clear('');
      setTried(false);
      notify({ text: left === 0 ? security.changed : `${security.changed} ${security.keysLeft(left)}` });
    } catch (error) {
      const isCurrent = error instanceof ApiError && error.status === 403;
      if (isCurrent) setWrong({ at: 'current', words: signing.wrongCurrent });
      else if (isOfInput(error)) setWrong({ at: 'next', words: wordsOfError(error) });
      else tellFault(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles['form']} noValidate onSubmit={submit}>
      <PasswordField
        label={security.current}
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        fault={wrong?.at === 'current' ? wrong.words : null}
      />
      <PasswordField
        label={security.next}
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        help={signing.rule(length)}
        fault={wrong?.at === 'next' ? wrong.words : isTried ? tooShort : null}
      />
      <PasswordField
        label={security.again}
        autoComplete="new-password"
        value={again}
        onChange={setAgain}
        fault={isTried ? differs : null}
      />
      <Checkbox isSelected={revokes} onChange={setRevokes}>
        {security.revoke}
      </Checkbox>
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {security.change}
      </Button>
    </form>
  );
}

function useNameOfSession() {
  const { security } = useMessages().account;
  return ({ user_agent: text }: Session) => {
    const { browser = security.unknownBrowser, system = security.unknownSystem } = readUserAgent(text);
    return security.on(browser, system);
  };
}

function SessionRow({ session }: { readonly session: Session }) {
  const { security } = useMessages().account;
  const formats = useFormats();
  const name = useNameOfSession()(session);
  const { id, address, creation_date: since, expiration_date: until, is_current: isCurrent } = session;
  const end = () => endSession(id).then(() => notify({ text: security.ended }), tellFault);
  return (
    <tr>
      <td>
        <span className={styles['main']}>{name}</span>
        <span className={styles['second']}>{address}</span>
      </td>
      <td data-label={security.since} className={styles['faint']}>
        {formats.moment(since)}
      </td>
      <td data-label={security.until} className={styles['faint']}>
        {formats.day(until)}
      </td>
      <td>
        {isCurrent ? (
          <Tag>{security.thisOne}</Tag>
        ) : (
          <Button kind="quiet" size="small" aria-label={security.endNamed(name)} onPress={end}>
            {security.end}
          </Button>
        )}
      </td>
    </tr>
  );
}

function Sessions() {
  const { security } = useMessages().account;
  const asked = useSessions();
  const { data } = asked;
  const endOthers = () =>
    endOtherSessions(data ?? []).then(() => notify({ text: security.endedOthers }), tellFault);
  return (
    <section className={styles['section']}>
      <div className={styles['sectionHead']}>
        <h2 className={styles['sectionName']}>
          {security.sessions} {data !== undefined && <span>{data.length}</span>}
        </h2>
        {data !== undefined && data.length > 1 && <Button onPress={endOthers}>{security.endOthers}</Button>}
      </div>
      <WaitingPlace asked={asked} lines={3} />
      {data !== undefined && (
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{security.sessions}</th>
              <th scope="col">{security.since}</th>
              <th scope="col">{security.until}</th>
              <th scope="col">
                <Unseen>{security.end}</Unseen>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Password and sessions. */
export function Security() {
  const { account } = useMessages();
  return (
    <SettingsPage title={account.pages.security} words={account.security.words}>
      <PasswordForm />
      <Sessions />
    </SettingsPage>
  );
}
