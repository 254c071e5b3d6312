import type { ReactNode } from 'react';
import styles from './settings.module.css';

/** A page of settings: one sentence about it, and its sections. */
export function Sheet({ words, children }: { readonly words: string; readonly children: ReactNode }) {
  return (
    <div className={styles['sheet']}>
      <p className={styles['words']}>{words}</p>
      {children}
    </div>
  );
}

export function Section({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={styles['section']} aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}
