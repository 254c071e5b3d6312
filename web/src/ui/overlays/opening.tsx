import { type ReactElement, type RefObject, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ButtonContext, type PressEvent } from 'react-aria-components';

/** Where in a list the keyboard begins when it opens. */
type Beginning = 'first' | 'last' | undefined;

/** Whether something beside a button is open, and how it opens. */
export interface Opening {
  readonly isOpen: boolean;
  readonly beginning: Beginning;
  /** Of the button. */
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  open(beginning?: Beginning): void;
  close(): void;
}

export function useOpening(given: boolean | undefined, onChange?: (isOpen: boolean) => void): Opening {
  const [own, setOwn] = useState(false);
  const [beginning, setBeginning] = useState<Beginning>();
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const tell = (isOpen: boolean) => {
    setOwn(isOpen);
    onChange?.(isOpen);
  };
  return {
    isOpen: given ?? own,
    beginning,
    id,
    button,
    open: (at) => {
      setBeginning(at);
      tell(true);
    },
    close: () => tell(false),
  };
}

/** True from the first time on: what closes is drawn until it has faded. */
export function useWasOpen(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return isOpen || wasOpen;
}

interface TriggerProps {
  readonly opening: Opening;
  readonly kind: 'menu' | 'dialog';
  readonly children: ReactElement;
}

/**
 * The button that opens something. It is drawn before that which it opens has arrived; the library has both in one, so that no button
 * could be seen without all of it.
 */
export function Trigger({ opening, kind, children }: TriggerProps) {
  const { isOpen, id, button } = opening;
  const latest = useRef(opening);
  useLayoutEffect(() => {
    latest.current = opening;
  });
  const context = useMemo(() => {
    const toggle = () => (latest.current.isOpen ? latest.current.close() : latest.current.open());
    return {
      id,
      ref: button,
      isPressed: isOpen,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      // A menu opens under a mouse that is pressed; a finger may be about to scroll.
      onPressStart: ({ pointerType }: PressEvent) => {
        if (kind === 'menu' && pointerType === 'mouse') toggle();
      },
      onPress: ({ pointerType }: PressEvent) => {
        if (kind === 'menu' && pointerType === 'mouse') return;
        if (pointerType === 'keyboard' || pointerType === 'virtual') latest.current.open('first');
        else toggle();
      },
      onKeyDown: (event: { key: string; preventDefault(): void; continuePropagation?(): void }) => {
        const isArrow = kind === 'menu' && (event.key === 'ArrowDown' || event.key === 'ArrowUp');
        if (!isArrow) return event.continuePropagation?.();
        event.preventDefault();
        latest.current.open(event.key === 'ArrowDown' ? 'first' : 'last');
      },
    } as const;
  }, [id, button, isOpen, kind]);
  return <ButtonContext value={context}>{children}</ButtonContext>;
}
