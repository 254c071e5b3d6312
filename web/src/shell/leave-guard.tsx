import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/index.ts';
import { Button, Dialog } from '../ui/index.ts';

interface LeaveGuardProps {
  /** Whether something would be lost. */
  readonly isNeeded: boolean;
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Nobody leaves a page with what is not stored without having been asked: by a link, by the keys of the browser, by closing it. */
export function LeaveGuard({ isNeeded, title, children }: LeaveGuardProps) {
  const { leaving } = useMessages();
  const { status, proceed, reset } = useBlocker({
    // What is looked at on the same page is part of the address too.
    shouldBlockFn: ({ current, next }) => isNeeded && current.pathname !== next.pathname,
    enableBeforeUnload: isNeeded,
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
