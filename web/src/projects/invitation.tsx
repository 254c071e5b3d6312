import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { announce } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import { Button, copyText, Note } from '../ui/index.ts';
import { invite } from './calls.ts';
import styles from './projects.module.css';

/** Copied where the browser lets us; the link stands there in any case. */
async function copy(text: string, told: string): Promise<void> {
  try {
    await copyText(text);
    announce(told);
  } catch {
    // Nothing was copied, and nothing says so.
  }
}

/** An address that belongs to no account yet: who administers accounts makes one, and has a link to send. */
export function Invitation({
  project,
  address,
  onInvited,
}: {
  readonly project: string;
  readonly address: string;
  onInvited(): void;
}) {
  const { projects } = useMessages();
  const [link, setLink] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const made = await invite(project, address);
      setLink(made);
      onInvited();
      await copy(made, projects.linkCopied);
    } catch (error) {
      setFault(wordsOfError(error));
    }
    setBusy(false);
  };
  if (link !== undefined)
    return (
      <section className={styles['invitation']} aria-label={projects.invitation(address)}>
        <p>{projects.invitationWords}</p>
        <code className={styles['invitationLink']}>{link}</code>
        <Button size="small" icon="copy" onPress={() => void copy(link, projects.linkCopied)}>
          {projects.copyLink}
        </Button>
      </section>
    );
  return (
    <section className={styles['invitation']} aria-label={address}>
      <p>{projects.noAccount(address)}</p>
      {fault !== undefined && <Note meaning="bad">{fault}</Note>}
      <Button
        size="small"
        icon="user-plus"
        isBusy={isBusy}
        aria-label={projects.inviteFor(address)}
        onPress={() => void send()}
      >
        {projects.invite}
      </Button>
    </section>
  );
}
