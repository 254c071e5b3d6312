import type { ReactNode } from 'react';
import { useMessages } from '../messages/index.ts';
import { useSubmit } from '../store/index.ts';
import { Button, Dialog, TextField } from '../ui/index.ts';
import styles from './name-dialog.module.css';

export interface NameDialogProps {
  readonly heading: string;
  /** What the field of the name is called. */
  readonly label: string;
  readonly name: string;
  /** What the button says; without it that it saves. */
  readonly save?: string;
  readonly isWhole?: boolean;
  onName(name: string): void;
  onSave(): Promise<void>;
  onClose(): void;
  readonly children?: ReactNode;
}

/** Asks for the name of something that is kept, and for whatever else stands below it. */
export function NameDialog({
  heading,
  label,
  name,
  save,
  isWhole = name.trim() !== '',
  onName,
  onSave,
  onClose,
  children,
}: NameDialogProps) {
  const { ui } = useMessages();
  const { fault, isBusy, submit } = useSubmit(onSave, isWhole);
  return (
    <Dialog
      title={heading}
      isOpen
      onClose={onClose}
      isDismissable={false}
      width="narrow"
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} isDisabled={!isWhole} onPress={() => void submit()}>
            {save ?? ui.save}
          </Button>
        </>
      }
    >
      <form className={styles['form']} onSubmit={(event) => void submit(event)}>
        <TextField
          label={label}
          value={name}
          onChange={onName}
          fault={fault ?? null}
          maxLength={255}
          autoFocus
        />
        {children}
      </form>
    </Dialog>
  );
}
