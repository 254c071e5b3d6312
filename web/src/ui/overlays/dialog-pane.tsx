import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { classes } from '../classes.ts';
import type { BareDialogProps, DialogProps } from './dialog.tsx';
import styles from './overlays.module.css';
import { useBackCloses } from './way-back.ts';

export function DialogPane(props: DialogProps) {
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
    <BareDialogPane
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
    </BareDialogPane>
  );
}

/** A dialog that draws all of its inside itself: the palette, quick creation. */
export function BareDialogPane(props: BareDialogProps) {
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
  useBackCloses(isOpen, onClose);
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
