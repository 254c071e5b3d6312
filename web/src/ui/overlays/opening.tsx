import {
  type ReactElement,
  type RefObject,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ButtonContext, type PressEvent } from 'react-aria-components';

/** Where in a list the keyboard begins when it opens. */
type Beginning = 'first' | 'last' | undefined;

/** Whether something beside a button is open, and how it opens. */
export interface Opening {
  readonly isOpen: boolean;
  /** What is opened takes longer to draw than the button: under a pointer the button shows first that it was pressed. */
  readonly isDrawn: boolean;
  readonly beginning: Beginning;
  /** Of the button. */
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  open(beginning?: Beginning): void;
  toggleByPointer(): void;
  close(): void;
}

export function useOpening(given: boolean | undefined, onChange?: (isOpen: boolean) => void): Opening {
  const [own, setOwn] = useState(false);
  const [beginning, setBeginning] = useState<Beginning>();
  const [isByPointer, setByPointer] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const tell = (isOpen: boolean) => {
    setOwn(isOpen);
    onChange?.(isOpen);
  };
  const isOpen = given ?? own;
  const isOpenLater = useDeferredValue(isOpen);
  const open = (at: Beginning, isPointed: boolean) => {
    setBeginning(at);
    setByPointer(isPointed);
    tell(true);
  };
  return {
    isOpen,
    isDrawn: isOpen && (isOpenLater || !isByPointer),
    beginning,
    id,
    button,
    open: (at) => open(at, false),
    toggleByPointer: () => (isOpen ? tell(false) : open(undefined, true)),
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
    const toggle = () => latest.current.toggleByPointer();
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
