import { useLocation } from '@tanstack/react-router';
import { Link, Button as PlainButton } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import { Icon } from '../ui/index.ts';
import styles from './bottom-bar.module.css';
import { openCreation } from './creation.ts';
import { openDrawer, openPalette } from './overlays.ts';

/** What is always at hand, under the thumb: on small screens alone. */
export function BottomBar() {
  const { shell } = useMessages();
  const { user } = useStanding();
  const { pathname } = useLocation();
  return (
    <nav className={styles['bottom']} aria-label={shell.atHand}>
      <Link
        href="/"
        className={styles['entry'] ?? ''}
        {...(pathname === '/' ? { 'aria-current': 'page' } : {})}
      >
        <Icon name="home" size={20} />
        <span>{shell.home}</span>
      </Link>
      <PlainButton className={styles['entry'] ?? ''} onPress={openPalette}>
        <Icon name="search" size={20} />
        <span>{shell.search}</span>
      </PlainButton>
      {user !== null && (
        <PlainButton className={styles['entry'] ?? ''} onPress={() => openCreation({})}>
          <Icon name="plus" size={20} />
          <span>{shell.create}</span>
        </PlainButton>
      )}
      <PlainButton className={styles['entry'] ?? ''} onPress={openDrawer}>
        <Icon name="dots" size={20} />
        <span>{shell.more}</span>
      </PlainButton>
    </nav>
  );
}
