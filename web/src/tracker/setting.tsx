import type { ReactNode } from 'react';
import { Button } from '../ui/index.ts';
import styles from './bar.module.css';

/** A word, and what it is set to. */
export function Setting({ name, value, ...rest }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <Button kind="quiet" size="small" className={styles['setting'] ?? ''} {...rest}>
      <span className={styles['settingName']}>{name}</span>
      <span className={styles['settingValue']}>{value}</span>
    </Button>
  );
}
