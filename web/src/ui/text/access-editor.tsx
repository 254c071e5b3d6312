import { lazy, Suspense } from 'react';
import { classes } from '../classes.ts';
import styles from './access-editor.module.css';

/** Something that is said of a line. */
export interface LineRemark {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isFault: boolean;
}

export interface AccessEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly remarks: readonly LineRemark[];
  /** Names that are completed: groups with their sign, people. */
  readonly names: readonly string[];
  readonly describedBy: string;
}

const AccessArea = lazy(() => import('./access-area.tsx').then((module) => ({ default: module.AccessArea })));

/** The text of an access file, in colours, with numbered lines; those that something is said of are marked. */
export function AccessEditor(props: AccessEditorProps) {
  const hasFault = props.remarks.some(({ isFault }) => isFault);
  return (
    <div className={classes(styles['editor'])} data-invalid={hasFault || undefined}>
      <Suspense
        fallback={
          <textarea
            className={styles['waiting']}
            aria-label={props.label}
            value={props.value}
            onChange={({ target }) => props.onChange(target.value)}
          />
        }
      >
        <AccessArea {...props} />
      </Suspense>
    </div>
  );
}
