import { Popover as AriaPopover, Dialog } from 'react-aria-components';
import { classes } from '../classes.ts';
import styles from './overlays.module.css';
import type { PaneProps } from './popover.tsx';

/** What floats while a popover is open. */
export function PopoverPane({
  label,
  placement = 'bottom start',
  anchor,
  className,
  isOpen,
  close,
  children,
}: PaneProps) {
  return (
    <AriaPopover
      className={classes(styles['popover'], className)}
      placement={placement}
      offset={4}
      triggerRef={anchor}
      isOpen={isOpen}
      onOpenChange={close}
    >
      <Dialog aria-label={label} className={styles['dialog'] ?? ''}>
        {({ close: shut }) => (typeof children === 'function' ? children(shut) : children)}
      </Dialog>
    </AriaPopover>
  );
}
