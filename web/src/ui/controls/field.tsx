import type { ReactNode } from 'react';
import { FieldError, Label, Text } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { Icon } from '../icons/icon.tsx';
import styles from './field.module.css';

/** What every control that asks for something has: its name above, help or what is wrong below. */
export type FieldWords = {
  label?: string;
  help?: ReactNode;
  /** Why the value cannot stay: shown below and tied to the control. */
  fault?: string | null | undefined;
};

export function FieldLabel({
  children,
  isRequired = false,
}: {
  children: string;
  isRequired?: boolean | undefined;
}) {
  const { ui } = useMessages();
  return (
    <Label className={styles['label'] ?? ''}>
      {children}
      {isRequired && <span className={styles['required']}>{ui.required}</span>}
    </Label>
  );
}

export function FieldFeet({ help, fault }: Pick<FieldWords, 'help' | 'fault'>) {
  return (
    <>
      {help !== undefined && (fault === undefined || fault === null) && (
        <Text slot="description" className={styles['help'] ?? ''}>
          {help}
        </Text>
      )}
      <FieldError className={styles['fault'] ?? ''}>
        {({ validationErrors }) => (
          <>
            <Icon name="alert-circle" size={14} />
            <span>{fault ?? validationErrors.join(' ')}</span>
          </>
        )}
      </FieldError>
    </>
  );
}

export function isRefused(fault: string | null | undefined): boolean {
  return fault !== undefined && fault !== null && fault !== '';
}
