import { type ReactElement, type ReactNode, type RefObject, Suspense } from 'react';
import type { PopoverProps as AriaPopoverProps } from 'react-aria-components';
import { later } from '../later.ts';
import { Trigger, useOpening, useWasOpen } from './opening.tsx';

const pane = later(() => import('./popover-pane.tsx'));

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
export function Popover({ trigger, isOpen, onOpenChange, anchor, ...rest }: PopoverProps) {
  const opening = useOpening(trigger === undefined ? (isOpen ?? false) : isOpen, onOpenChange);
  const wasOpen = useWasOpen(opening.isOpen);
  return (
    <>
      {trigger !== undefined && (
        <Trigger opening={opening} kind="dialog">
          {trigger}
        </Trigger>
      )}
      {wasOpen && (
        <Suspense>
          <Opened
            {...rest}
            anchor={trigger === undefined ? anchor : opening.button}
            isOpen={opening.isDrawn}
            close={opening.close}
          />
        </Suspense>
      )}
    </>
  );
}

export type PaneProps = Pick<PopoverProps, 'label' | 'placement' | 'anchor' | 'className' | 'children'> & {
  isOpen: boolean;
  close: () => void;
};

function Opened(props: PaneProps) {
  const { PopoverPane } = pane.use();
  return <PopoverPane {...props} />;
}
