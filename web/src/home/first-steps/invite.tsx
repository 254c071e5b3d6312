import { type FormEvent, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { announce } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, copyText, TextField } from '../../ui/index.ts';
import { makeAccount, makeLink } from './calls.ts';
import styles from './first-steps.module.css';

const nobody = { login: '', realName: '', mail: '' };

/** The link, this once: it is held by this component alone. */
function Link({ login, href, again }: { readonly login: string; readonly href: string; again(): void }) {
  const { invite } = useMessages().welcome;
  const copy = () => void copyText(href).then(() => announce(invite.copied));
  return (
    <div className={styles['link']} role="status">
      <p>
        {invite.link} <strong>{login}</strong>
      </p>
      <code className={styles['address']}>{href}</code>
      <p className={styles['faint']}>{invite.linkWords}</p>
      <div className={styles['acts']}>
        <Button kind="primary" icon="copy" onPress={copy}>
          {invite.copy}
        </Button>
        <Button kind="quiet" onPress={again}>
          {invite.another}
        </Button>
      </div>
    </div>
  );
}

/** Makes an account, and a link to hand on. What was typed stays when it is refused. */
export function Invite({ onInvited }: { onInvited(): void }) {
  const { invite, steps } = useMessages().welcome;
  const [person, setPerson] = useState(nobody);
  const [made, setMade] = useState<number>();
  const [href, setHref] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (person.login.trim() === '' || isBusy) return;
    setBusy(true);
    setFault(undefined);
    try {
      const id = made ?? (await makeAccount({ ...person, login: person.login.trim() }));
      // A link that fails is asked for again, for the same account.
      setMade(id);
      setHref(await makeLink(id));
      onInvited();
    } catch (error) {
      setFault(wordsOfError(error));
    } finally {
      setBusy(false);
    }
  };
  const again = () => {
    setPerson(nobody);
    setMade(undefined);
    setHref(undefined);
    setTried(false);
  };
  if (href !== undefined) return <Link login={person.login} href={href} again={again} />;
  const missing = isTried && person.login.trim() === '' ? invite.loginMissing : null;
  return (
    <form className={styles['form']} noValidate onSubmit={submit}>
      <TextField
        label={invite.login}
        value={person.login}
        onChange={(login) => setPerson({ ...person, login })}
        autoComplete="off"
        spellCheck="false"
        isReadOnly={made !== undefined}
        fault={missing ?? fault ?? null}
      />
      <TextField
        label={invite.realName}
        value={person.realName}
        onChange={(realName) => setPerson({ ...person, realName })}
        autoComplete="off"
      />
      <TextField
        label={invite.mail}
        type="email"
        value={person.mail}
        onChange={(mail) => setPerson({ ...person, mail })}
        autoComplete="off"
      />
      <div className={styles['acts']}>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {steps.people.act}
        </Button>
      </div>
    </form>
  );
}
