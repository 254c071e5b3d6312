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

/** Guards of what would be lost. */
const atStake = new Set<object>();

/**
 * Whether a page is shown: while one may open it, and as long as something was typed there that is not stored. Whoever loses the right to it
 * meanwhile keeps their words, and is told when they store them.
 */
export function useStaying(page: string, mayOpen: boolean): boolean {
  const opened = useRef<string>(undefined);
  if (mayOpen) opened.current = page;
  return mayOpen || (opened.current === page && (atStake.size > 0 || openDialogs.length > 0));
}

/** Nobody leaves a page with what is not stored without having been asked: by a link, by the keys of the browser, by closing it. */
export function LeaveGuard({ isNeeded, title, children }: LeaveGuardProps) {
  const { leaving } = useMessages();
  // Known as soon as the page shows it: whoever has just saved may go at once.
  const isAtStake = useRef(false);
  useLayoutEffect(() => {
    isAtStake.current = isNeeded;
    if (isNeeded) atStake.add(isAtStake);
    return () => {
      isAtStake.current = false;
      atStake.delete(isAtStake);
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
