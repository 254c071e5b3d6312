import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { useSubmit } from '../../store/index.ts';
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
  const isNamed = label.trim() !== '';
  const { fault, isBusy, submit } = useSubmit(() => onSave(label.trim()), isNamed);
  return (
    <Dialog
      title={isPublic ? saving.nameForAll : saving.nameMine}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} isDisabled={!isNamed} onPress={() => void submit()}>
            {words.save}
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void submit(event)}>
        <TextField label={saving.name} value={label} onChange={setLabel} fault={fault ?? null} autoFocus />
      </form>
    </Dialog>
  );
}
