import { Popover as AriaPopover, Dialog } from 'react-aria-components';
import { classes } from '../classes.ts';
import styles from './overlays.module.css';
import type { PaneProps } from './popover.tsx';

/** Lists of what is inside float beside it: a press on one of their entries is none elsewhere. */
const isElsewhere = (element: Element) => element.closest('[role=listbox],[data-trigger]') === null;

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
      shouldCloseOnInteractOutside={isElsewhere}
    >
      <Dialog aria-label={label} className={styles['dialog'] ?? ''}>
        {({ close: shut }) => (typeof children === 'function' ? children(shut) : children)}
      </Dialog>
    </AriaPopover>
  );
}
