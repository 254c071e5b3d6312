import { Modal, ModalOverlay, Dialog as PlainDialog } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { useBackCloses } from '../ui/index.ts';
import styles from './frame.module.css';
import { closeOverlay } from './overlays.ts';
import { Sidebar } from './sidebar.tsx';

/** The sidebar on a small screen. */
export function Drawer() {
  const { shell } = useMessages();
  useBackCloses(true, closeOverlay);
  return (
    <ModalOverlay className={styles['drawerScrim'] ?? ''} isOpen isDismissable onOpenChange={closeOverlay}>
      <Modal className={styles['drawer'] ?? ''}>
        <PlainDialog aria-label={shell.navigation} className={styles['drawerInside'] ?? ''}>
          <Sidebar isFolded={false} toggle={closeOverlay} />
        </PlainDialog>
      </Modal>
    </ModalOverlay>
  );
}
