import { type FormEvent, useRef, useState } from 'react';
import { wordsOfError } from './faults.ts';

/**
 * Sends what a form asks for, once, and not before it is whole: Enter knows nothing of a button that is busy or off. A form that was sent goes
 * away; one that was refused can be sent again.
 */
export function useSubmit(send: () => Promise<void>, isWhole = true) {
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  // What is drawn may be behind two keys that come together.
  const isSending = useRef(false);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isSending.current || !isWhole) return;
    isSending.current = true;
    setFault(undefined);
    setBusy(true);
    try {
      await send();
    } catch (error) {
      setFault(wordsOfError(error));
      setBusy(false);
      isSending.current = false;
    }
  };
  return { fault, isBusy, submit };
}
