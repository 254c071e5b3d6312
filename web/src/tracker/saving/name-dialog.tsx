import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { NameDialog } from '../../shell/index.ts';

export interface ViewNameDialogProps {
  readonly isPublic: boolean;
  onClose(): void;
  onSave(label: string): Promise<void>;
}

/** A name for what is seen. */
export function ViewNameDialog({ isPublic, onClose, onSave }: ViewNameDialogProps) {
  const { saving } = useMessages();
  const [label, setLabel] = useState('');
  return (
    <NameDialog
      heading={isPublic ? saving.nameForAll : saving.nameMine}
      label={saving.name}
      name={label}
      onName={setLabel}
      onSave={() => onSave(label.trim())}
      onClose={onClose}
    />
  );
}
