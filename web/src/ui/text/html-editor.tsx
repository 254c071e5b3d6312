import { lazy, type ReactNode, Suspense } from 'react';
import { classes } from '../classes.ts';
import { Skeleton } from '../states/states.tsx';
import styles from './editor.module.css';

export type HtmlEditorProps = {
  value: string;
  onChange: (html: string) => void;
  label: string;
  autoFocus?: boolean;
  onSend?: (() => void) | undefined;
  onEscape?: (() => void) | undefined;
  end?: ReactNode;
  className?: string;
};

const HtmlArea = lazy(() => import('./html-area.tsx').then((module) => ({ default: module.HtmlArea })));

/** For texts whose format is `html`, which come from imports: nobody should have to edit tags. */
export function HtmlEditor(props: HtmlEditorProps) {
  return (
    <div className={classes(styles['editor'], styles['withTools'], props.className)}>
      <Suspense fallback={<Skeleton className={styles['preview'] ?? ''} />}>
        <HtmlArea {...props} />
      </Suspense>
    </div>
  );
}
