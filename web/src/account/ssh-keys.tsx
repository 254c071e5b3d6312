import { type FormEvent, useEffect, useState } from 'react';
import { readSshKey, wrongLineIn } from '../kernel/ssh-key.ts';
import { useMessages } from '../messages/index.ts';
import { LeaveGuard, notify, WaitingPlace } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import { Button, EmptyPlace, SettingsPage, TextArea } from '../ui/index.ts';
import styles from './account.module.css';
import { saveSshKeys, useSshKeys } from './calls.ts';

/** As `ssh-keygen -l` prints it; where the page came without TLS, browsers do not hash, and the end of the key stands for it. */
async function fingerprintOf(base64: string): Promise<string> {
  if (globalThis.crypto.subtle === undefined) return `…${base64.slice(-24)}`;
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`;
}

function StoredKey({ text }: { readonly text: string }) {
  const key = readSshKey(text);
  const [fingerprint, setFingerprint] = useState('');
  const base64 = key?.base64;
  useEffect(() => {
    if (base64 !== undefined) void fingerprintOf(base64).then(setFingerprint);
  }, [base64]);
  return (
    <li className={styles['row']}>
      <div className={styles['rowWords']}>
        <span className={styles['main']}>{key?.name === '' ? key.type : key?.name}</span>
        <span className={styles['second']}>
          {key?.type} <code>{fingerprint}</code>
        </span>
      </div>
    </li>
  );
}

function KeysForm({ stored }: { readonly stored: readonly string[] }) {
  const { account } = useMessages();
  const { ssh } = account;
  // With what was seen when it was begun: until then it follows what is stored.
  const [typed, setTyped] = useState<{ readonly text: string; readonly seen: readonly string[] }>();
  const text = typed?.text ?? stored.join('\n');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const line = wrongLineIn(text);
    setFault(line === undefined ? undefined : ssh.wrongLine(line));
    if (line !== undefined || isBusy) return;
    setBusy(true);
    try {
      const wanted = text.split('\n').map((one) => one.trim());
      await saveSshKeys(
        typed?.seen ?? stored,
        wanted.filter((one) => one !== ''),
      );
      // What was typed meanwhile stays.
      setTyped((now) => (now === typed ? undefined : now));
      notify({ text: account.saved });
    } catch (error) {
      setFault(wordsOfError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles['wideForm']} noValidate onSubmit={submit}>
      <LeaveGuard isNeeded={typed !== undefined && !isBusy} />
      <TextArea
        label={ssh.field}
        help={ssh.help}
        rows={6}
        value={text}
        onChange={(next) => setTyped({ text: next, seen: typed?.seen ?? stored })}
        fault={fault ?? null}
        className={styles['mono'] ?? ''}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {ssh.save}
      </Button>
    </form>
  );
}

/** Public SSH keys. */
export function SshKeys() {
  const { account } = useMessages();
  const { ssh } = account;
  const asked = useSshKeys();
  const { data } = asked;
  return (
    <SettingsPage title={account.pages.ssh} words={ssh.words}>
      <WaitingPlace asked={asked} lines={4} />
      {data !== undefined && <KeysForm stored={data} />}
      {data !== undefined && (
        <section className={styles['section']}>
          <h2 className={styles['sectionName']}>
            {ssh.fingerprints} <span>{data.length}</span>
          </h2>
          {data.length === 0 ? (
            <EmptyPlace icon="terminal-2" name={ssh.none}>
              {ssh.noneWords}
            </EmptyPlace>
          ) : (
            <ul>
              {data.map((text) => (
                <StoredKey key={text} text={text} />
              ))}
            </ul>
          )}
        </section>
      )}
    </SettingsPage>
  );
}
