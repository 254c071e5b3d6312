import type { ReactNode } from 'react';
import styles from './settings.module.css';

/** A page of settings: its heading, one sentence about it, and its sections. */
export function SettingsPage({
  title,
  words,
  children,
}: {
  readonly title: string;
  readonly words: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['words']}>{words}</p>
      {children}
    </div>
  );
}
