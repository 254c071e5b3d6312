import type { RefObject } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import { Key } from '../marks/key.tsx';
import styles from './overlays.module.css';

type BubbleProps = {
  id: string;
  text: string;
  keys: string | undefined;
  control: RefObject<Element | null>;
};

/** The words of a tooltip while they are shown. The trigger of the library tells it that they are. */
export function TooltipBubble({ id, text, keys, control }: BubbleProps) {
  return (
    <TooltipTrigger isOpen>
      <AriaTooltip className={styles['tooltip'] ?? ''} offset={6} triggerRef={control}>
        <span id={id}>{text}</span>
        {keys !== undefined && <Key keys={keys} inverse />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
