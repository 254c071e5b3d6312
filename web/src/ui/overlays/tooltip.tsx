import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import { Key } from '../marks/key.tsx';
import styles from './overlays.module.css';

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
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip className={styles['tooltip'] ?? ''} offset={6}>
        {text}
        {keys !== undefined && <Key keys={keys} inverse />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
