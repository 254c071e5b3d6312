import { type FormEvent, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, Dialog, TextField } from '../../ui/index.ts';

export interface NameDialogProps {
  readonly isPublic: boolean;
  readonly onClose: () => void;
  readonly onSave: (label: string) => Promise<void>;
}

/** Asks how a new view is called. */
export function NameDialog({ isPublic, onClose, onSave }: NameDialogProps) {
  const { saving, tracker: words } = useMessages();
  const [label, setLabel] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (label.trim() === '' || isBusy) return;
    setBusy(true);
    try {
      await onSave(label.trim());
    } catch (error) {
      setFault(wordsOfError(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={isPublic ? saving.nameForAll : saving.nameMine}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} isDisabled={label.trim() === ''} onPress={() => void send()}>
            {words.save}
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void send(event)}>
        <TextField label={saving.name} value={label} onChange={setLabel} fault={fault ?? null} autoFocus />
      </form>
    </Dialog>
  );
}
