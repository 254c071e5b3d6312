import { useFormats } from '../messages/index.ts';
import { Faint } from '../project-admin/index.ts';
import styles from './platform-admin.module.css';

export interface ProgressProps {
  /** What is done at the moment. */
  readonly stage: string;
  /** The language of its name, where that is another than the page's. */
  readonly lang?: string;
  readonly done: number;
  /** 0 where nobody knows how much there is. */
  readonly total: number;
  readonly label: string;
}

/** How far something is that takes a while. */
export function Progress({ stage, lang, done, total, label }: ProgressProps) {
  const formats = useFormats();
  return (
    <div>
      <p>
        <span lang={lang}>{stage}</span>{' '}
        <Faint>
          {formats.number(done)}
          {total > 0 && ` / ${formats.number(total)}`}
        </Faint>
      </p>
      <progress
        className={styles['progress']}
        aria-label={label}
        {...(total > 0 ? { value: done, max: total } : {})}
      />
    </div>
  );
}
