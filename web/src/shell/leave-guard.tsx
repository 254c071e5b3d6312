import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../messages/index.ts';
import { Button, Dialog, openDialogs } from '../ui/index.ts';

interface LeaveGuardProps {
  /** Whether something would be lost. */
  readonly isNeeded: boolean;
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Nobody leaves a page with what is not stored without having been asked: by a link, by the keys of the browser, by closing it. */
export function LeaveGuard({ isNeeded, title, children }: LeaveGuardProps) {
  const { leaving } = useMessages();
  // Known as soon as the page shows it: whoever has just saved may go at once.
  const isAtStake = useRef(false);
  useLayoutEffect(() => {
    isAtStake.current = isNeeded;
    return () => {
      isAtStake.current = false;
    };
  }, [isNeeded]);
  const { status, proceed, reset } = useBlocker({
    // What is looked at on the same page is part of the address too, and Back closes a dialog first.
    shouldBlockFn: ({ current, next, action }) =>
      isAtStake.current &&
      current.pathname !== next.pathname &&
      !(action === 'BACK' && openDialogs.length > 0),
    enableBeforeUnload: () => isAtStake.current,
    withResolver: true,
  });
  return (
    <Dialog
      title={title ?? leaving.title}
      role="alertdialog"
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      buttons={
        <>
          <Button onPress={() => reset?.()}>{leaving.stay}</Button>
          <Button kind="danger" onPress={() => proceed?.()}>
            {leaving.leave}
          </Button>
        </>
      }
    >
      <p>{children ?? leaving.words}</p>
    </Dialog>
  );
}
