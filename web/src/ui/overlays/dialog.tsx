import { type ReactNode, Suspense } from 'react';
import { later } from '../later.ts';
import { useWasOpen } from './opening.tsx';

const pane = later(() => import('./dialog-pane.tsx'));

export type DialogProps = {
  /** A question or a verb. */
  title: string;
  isOpen: boolean;
  onClose: () => void;
  width?: 'narrow' | 'medium' | 'wide' | 'palette';
  /** `alertdialog` interrupts: for what destroys. */
  role?: 'dialog' | 'alertdialog';
  /** What is safe first; the last one does it. */
  buttons?: ReactNode;
  /** Words at the left of the buttons. */
  aside?: ReactNode;
  /** A press beside it closes it; not where something was typed. */
  isDismissable?: boolean;
  children?: ReactNode;
};

export type BareDialogProps = Pick<DialogProps, 'isOpen' | 'onClose' | 'width' | 'role' | 'children'> & {
  label: string;
  isDismissable?: boolean | undefined;
  className?: string;
};

function OpenDialog(props: DialogProps) {
  const { DialogPane } = pane.use();
  return <DialogPane {...props} />;
}

function OpenBareDialog(props: BareDialogProps) {
  const { BareDialogPane } = pane.use();
  return <BareDialogPane {...props} />;
}

export function Dialog(props: DialogProps) {
  return <Suspense>{useWasOpen(props.isOpen) && <OpenDialog {...props} />}</Suspense>;
}

/** A dialog that draws all of its inside itself: the palette, quick creation. */
export function BareDialog(props: BareDialogProps) {
  return <Suspense>{useWasOpen(props.isOpen) && <OpenBareDialog {...props} />}</Suspense>;
}
