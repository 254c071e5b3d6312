import { useMessages } from '../messages/index.ts';
import { signOut } from '../store/index.ts';
import { Button, Dialog } from '../ui/index.ts';

export interface SignOutDialogProps {
  /** Changes that are not saved yet. */
  readonly waiting: number;
  readonly onClose: () => void;
}

/** Asks whoever would lose what is not saved yet. */
export function SignOutDialog({ waiting, onClose }: SignOutDialogProps) {
  const { shell, leaving } = useMessages();
  return (
    <Dialog
      title={shell.signOut}
      role="alertdialog"
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{leaving.stay}</Button>
          <Button kind="destroy" onPress={signOut}>
            {leaving.signOutAnyway}
          </Button>
        </>
      }
    >
      <p>{leaving.beforeSaved(waiting)}</p>
    </Dialog>
  );
}
