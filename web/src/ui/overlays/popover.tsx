import type { ReactElement, ReactNode, RefObject } from 'react';
import {
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
  Dialog,
  DialogTrigger,
} from 'react-aria-components';
import { classes } from '../classes.ts';
import styles from './overlays.module.css';

export type PopoverProps = {
  /** The button that opens it; left out where `isOpen` and `anchor` say where it stands. */
  trigger?: ReactElement;
  label: string;
  placement?: AriaPopoverProps['placement'];
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  anchor?: RefObject<Element | null>;
  className?: string;
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** Floats beside what opened it; Escape and a press elsewhere close it. */
export function Popover(props: PopoverProps) {
  const {
    trigger,
    label,
    placement = 'bottom start',
    isOpen,
    onOpenChange,
    anchor,
    className,
    children,
  } = props;
  const popover = (
    <AriaPopover
      className={classes(styles['popover'], className)}
      placement={placement}
      offset={4}
      {...(trigger === undefined ? { isOpen, onOpenChange, triggerRef: anchor } : {})}
    >
      <Dialog aria-label={label} className={styles['dialog'] ?? ''}>
        {({ close }) => (typeof children === 'function' ? children(close) : children)}
      </Dialog>
    </AriaPopover>
  );
  if (trigger === undefined) return popover;
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      {trigger}
      {popover}
    </DialogTrigger>
  );
}
