import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { classes } from '../classes.ts';
import styles from './overlays.module.css';

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

export function Dialog(props: DialogProps) {
  const {
    title,
    isOpen,
    onClose,
    width = 'narrow',
    role = 'dialog',
    buttons,
    aside,
    isDismissable,
    children,
  } = props;
  return (
    <BareDialog
      label={title}
      isOpen={isOpen}
      onClose={onClose}
      width={width}
      role={role}
      isDismissable={isDismissable}
    >
      <Heading slot="title" level={2} className={styles['dialogTitle'] ?? ''}>
        {title}
      </Heading>
      <div className={styles['dialogBody']}>{children}</div>
      {(buttons !== undefined || aside !== undefined) && (
        <div className={styles['dialogButtons']}>
          {aside !== undefined && <div className={styles['dialogAside']}>{aside}</div>}
          {buttons}
        </div>
      )}
    </BareDialog>
  );
}

export type BareDialogProps = Pick<DialogProps, 'isOpen' | 'onClose' | 'width' | 'role' | 'children'> & {
  label: string;
  isDismissable?: boolean | undefined;
  className?: string;
};

/** A dialog that draws all of its inside itself: the palette, quick creation. */
export function BareDialog(props: BareDialogProps) {
  const {
    label,
    isOpen,
    onClose,
    width = 'narrow',
    role = 'dialog',
    isDismissable,
    className,
    children,
  } = props;
  return (
    <ModalOverlay
      className={styles['scrim'] ?? ''}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={isDismissable ?? role === 'dialog'}
    >
      <Modal className={classes(styles['modal'], styles[width])}>
        <AriaDialog aria-label={label} role={role} className={classes(styles['dialog'], className)}>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
