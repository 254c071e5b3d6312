import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldHolding, isChildLink, linksIn } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import { Button, Dialog, Note, TextField } from '../ui/index.ts';
import styles from './artifact.module.css';
import { bringBack, removeArtifact } from './calls.ts';
import { type SeenArtifact, valueIn } from './seen.ts';

/** Asks before an artifact goes; what has children asks for its number too. */
export function DeleteDialog({
  seen,
  onClose,
  onGone,
}: {
  readonly seen: SeenArtifact;
  readonly onClose: () => void;
  readonly onGone: () => void;
}) {
  const { artifact: words } = useMessages();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { artifact, tracker } = seen;
  const { id, xref } = artifact;
  const links = fieldHolding(tracker.fields, 'links');
  const children = links === undefined ? [] : linksIn(valueIn(artifact, links.field_id)).filter(isChildLink);
  const undo = () =>
    void bringBack(id)
      .then(() => router.history.push(`/artifacts/${id}`))
      .catch(tellFault);
  const remove = async () => {
    setBusy(true);
    try {
      const left = await removeArtifact(id);
      notify({ text: left === undefined ? words.deleted(xref) : words.deletedLeft(xref, left), undo });
      onClose();
      onGone();
    } catch (error) {
      setBusy(false);
      setFault(wordsOfError(error));
    }
  };
  return (
    <Dialog
      title={words.deleteQuestion(xref)}
      isOpen
      onClose={onClose}
      role="alertdialog"
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            kind="destroy"
            isBusy={isBusy}
            isDisabled={children.length > 0 && typed.trim() !== String(id)}
            onPress={remove}
          >
            {words.delete}
          </Button>
        </>
      }
    >
      <p>{words.deleteWords(children.length)}</p>
      {children.length > 0 && (
        <div className={styles['formRows']}>
          <TextField label={words.typeId(id)} value={typed} onChange={setTyped} inputMode="numeric" />
        </div>
      )}
      {fault !== null && (
        <Note meaning="bad" isAlert>
          <span lang="en">{fault}</span>
        </Note>
      )}
    </Dialog>
  );
}
