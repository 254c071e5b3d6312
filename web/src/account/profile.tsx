import { ApiError } from '@atelier/client';
import { type FormEvent, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import { setPreference, standingChanged, useStanding, wordsOfError } from '../store/index.ts';
import { Button, PasswordField, Select, SettingsPage, TextField } from '../ui/index.ts';
import styles from './account.module.css';
import { changeProfile } from './calls.ts';
import { isOfInput } from './faults.ts';

function ProfileForm() {
  const { account } = useMessages();
  const { profile, saved } = account;
  const { user } = useStanding();
  // What nobody typed follows what is stored, and is not sent: it may have been changed elsewhere.
  const [typedName, setName] = useState<string>();
  const [typedMail, setMail] = useState<string>();
  const name = typedName ?? user?.real_name ?? '';
  const mail = typedMail ?? user?.email ?? '';
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ readonly at: 'name' | 'mail' | 'password'; readonly words: string }>();
  const isOtherMail = mail !== (user?.email ?? '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    try {
      await changeProfile({
        ...(typedName === undefined ? {} : { real_name: name }),
        ...(isOtherMail ? { email: mail, current_password: password } : {}),
      });
      await standingChanged();
      setName((now) => (now === name ? undefined : now));
      setMail((now) => (now === mail ? undefined : now));
      setPassword('');
      notify({ text: saved });
    } catch (error) {
      const isPassword = error instanceof ApiError && error.status === 403;
      const words = wordsOfError(error);
      if (isOfInput(error)) setFault({ at: isPassword ? 'password' : isOtherMail ? 'mail' : 'name', words });
      else notify({ kind: 'bad', text: words });
    } finally {
      setBusy(false);
    }
  };
  const faultAt = (place: 'name' | 'mail' | 'password') => (fault?.at === place ? fault.words : null);
  return (
    <form className={styles['form']} noValidate onSubmit={submit}>
      <TextField label={profile.login} value={user?.username ?? ''} isReadOnly help={profile.loginHelp} />
      <TextField
        label={profile.realName}
        value={name}
        onChange={setName}
        autoComplete="name"
        fault={faultAt('name')}
      />
      <TextField
        label={profile.mail}
        type="email"
        value={mail}
        onChange={setMail}
        autoComplete="email"
        fault={faultAt('mail')}
      />
      {isOtherMail && (
        <PasswordField
          label={profile.currentPassword}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          help={profile.currentPasswordHelp}
          fault={faultAt('password')}
        />
      )}
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {profile.save}
      </Button>
    </form>
  );
}

function NameDisplay() {
  const { profile } = useMessages().account;
  const { preferences, user } = useStanding();
  const choose = async (value: string | null) => {
    if (value === null) return;
    await setPreference('username_display', value);
    await standingChanged();
  };
  return (
    <section className={styles['section']}>
      <Select
        label={profile.display}
        value={preferences['username_display'] ?? '0'}
        onChange={(value) => void choose(value)}
        options={Object.entries(profile.displays).map(([id, name]) => ({ id, name }))}
        help={profile.example(user?.display_name ?? '')}
        className={styles['form']}
      />
    </section>
  );
}

/** What others see of oneself. */
export function Profile() {
  const { account } = useMessages();
  return (
    <SettingsPage title={account.pages.profile} words={account.profile.words}>
      <ProfileForm />
      <NameDisplay />
    </SettingsPage>
  );
}
