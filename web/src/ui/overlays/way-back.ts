import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { openDialogs } from './open-dialogs.ts';

/** Dialogs are not in addresses: Back closes the one on top, and leaves the page below as it is. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const { history } = useRouter();
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = () => latest.current();
    openDialogs.push(close);
    const free = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        if (action !== 'BACK') return false;
        openDialogs.at(-1)?.();
        return true;
      },
    });
    return () => {
      free();
      openDialogs.splice(openDialogs.indexOf(close), 1);
    };
  }, [isOpen, history]);
}
