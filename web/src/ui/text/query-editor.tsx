import { lazy, Suspense, useId, useRef } from 'react';
import { classes } from '../classes.ts';
import styles from './query-editor.module.css';
import type { EarlyUse } from './use-editor.ts';

/** What could be written at a place of a query. */
export interface QueryOption {
  readonly label: string;
  readonly detail?: string | undefined;
  /** Written in place of what was typed. */
  readonly text: string;
  /** Whether something else comes after it, which is then offered. */
  readonly goesOn?: boolean | undefined;
}

export interface QueryOptions {
  /** Where what was typed of it begins. */
  readonly from: number;
  readonly options: readonly QueryOption[];
}

/** A part of a query that is wrong, and why. */
export interface WrongPart {
  readonly from: number;
  readonly to: number;
  readonly words: string;
}

export interface QueryEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly placeholder: string;
  readonly autoFocus?: boolean | undefined;
  /** Enter. */
  readonly onRun: () => void;
  /** What can be written after a text; asked for while somebody types, or because somebody wants to know. */
  readonly complete: (before: string, isAsked: boolean) => Promise<QueryOptions | null>;
  readonly check: (text: string) => readonly WrongPart[];
  /** Words below: why it is wrong. */
  readonly fault?: string | undefined;
  readonly className?: string | undefined;
}

const QueryArea = lazy(() => import('./query-area.tsx').then((module) => ({ default: module.QueryArea })));

/** A query of one line that grows, in colours and with completion; faults are underlined where they are. */
export function QueryEditor(props: QueryEditorProps) {
  const { fault, className } = props;
  const earlyUse: EarlyUse = useRef(undefined);
  const faultId = useId();
  return (
    <div className={classes(styles['query'], className)}>
      <div className={styles['box']} data-invalid={fault !== undefined || undefined}>
        <Suspense fallback={<WaitingBox {...props} early={earlyUse} />}>
          <QueryArea {...props} takesOver={earlyUse} faultId={faultId} />
        </Suspense>
      </div>
      <p id={faultId} className={styles['fault']} role="status">
        {fault}
      </p>
    </div>
  );
}

/** What is typed before the editor has arrived is typed into a plain field. */
function WaitingBox({
  value,
  onChange,
  onRun,
  label,
  placeholder,
  autoFocus,
  early,
}: QueryEditorProps & { readonly early: EarlyUse }) {
  return (
    <textarea
      className={styles['waiting']}
      rows={1}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      // biome-ignore lint/a11y/noAutofocus: whoever opens the query wants to write
      autoFocus={autoFocus}
      onChange={(event) => {
        early.current = 'typed into';
        onChange(event.target.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey) return;
        event.preventDefault();
        onRun();
      }}
      onFocus={() => {
        early.current = 'focused';
      }}
      onBlur={(event) => {
        // Without another element that has the focus now, this one was replaced by the editor.
        if (event.relatedTarget !== null) early.current = 'left';
      }}
    />
  );
}
