import { Link, Button as PlainButton } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { useStanding } from '../store/index.ts';
import { Count, Icon } from '../ui/index.ts';
import styles from './bottom-bar.module.css';
import { openCreation } from './creation.ts';
import { openDrawer, openPalette } from './overlays.ts';
import { useIsHere } from './place.ts';

/** What is always at hand, under the thumb: on small screens alone. */
export function BottomBar() {
  const { shell } = useMessages();
  const { user, unread_notifications: unread } = useStanding();
  const isHome = useIsHere('/');
  const isInbox = useIsHere('/inbox');
  return (
    <nav className={styles['bottom']} aria-label={shell.atHand}>
      <Link href="/" className={styles['entry'] ?? ''} {...(isHome ? { 'aria-current': 'page' } : {})}>
        <Icon name="home" size={20} />
        <span>{shell.home}</span>
      </Link>
      {user !== null && (
        <Link
          href="/inbox"
          className={styles['entry'] ?? ''}
          aria-label={unread === 0 ? shell.inbox : `${shell.inbox} ${unread}`}
          {...(isInbox ? { 'aria-current': 'page' } : {})}
        >
          <span className={styles['counted']}>
            <Icon name="inbox" size={20} />
            {unread > 0 && <Count value={unread} isUnread />}
          </span>
          <span>{shell.inbox}</span>
        </Link>
      )}
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
