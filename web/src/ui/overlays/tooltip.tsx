import { type PointerEvent, type ReactElement, Suspense, useEffect, useId, useRef, useState } from 'react';
import { later } from '../later.ts';
import styles from './overlays.module.css';

const bubble = later(() => import('./tooltip-bubble.tsx'));

const delay = 500;
/** Who goes from one control to the next reads on without waiting. */
const stillReading = 300;
let lastClosed = 0;

/** Words about a control that is pointed at or focused; the control is the only child. */
export function Tooltip({
  text,
  keys,
  children,
}: {
  text: string;
  keys?: string | undefined;
  children: ReactElement;
}) {
  const around = useRef<HTMLSpanElement>(null);
  const control = useRef<Element>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  useEffect(() => () => clearTimeout(timer.current), []);
  useDescription(control, isOpen ? id : undefined);
  const open = (after: number) => {
    control.current = around.current?.firstElementChild ?? null;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), after);
  };
  const close = () => {
    clearTimeout(timer.current);
    if (isOpen) lastClosed = Date.now();
    setOpen(false);
  };
  const point = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse' && !isOpen) open(Date.now() - lastClosed < stillReading ? 0 : delay);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices what happens to the control inside
    <span
      ref={around}
      className={styles['around']}
      onPointerEnter={point}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={({ target }) => target.matches(':focus-visible') && open(delay)}
      onBlur={close}
      onKeyDown={close}
    >
      {children}
      {isOpen && (
        <Suspense>
          <Bubble id={id} text={text} keys={keys} control={control} />
        </Suspense>
      )}
    </span>
  );
}

type BubbleProps = Parameters<Awaited<ReturnType<typeof bubble.load>>['TooltipBubble']>[0];

function Bubble(props: BubbleProps) {
  const { TooltipBubble } = bubble.use();
  return <TooltipBubble {...props} />;
}

/** Ties the words to the control as long as they are shown. */
function useDescription(control: { readonly current: Element | null }, id: string | undefined): void {
  useEffect(() => {
    const element = control.current;
    if (id === undefined || element === null) return undefined;
    const before = element.getAttribute('aria-describedby');
    element.setAttribute('aria-describedby', before === null ? id : `${before} ${id}`);
    return () => {
      if (before === null) element.removeAttribute('aria-describedby');
      else element.setAttribute('aria-describedby', before);
    };
  }, [control, id]);
}
