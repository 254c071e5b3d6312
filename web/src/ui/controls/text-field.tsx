import { type ReactNode, type Ref, useState } from 'react';
import {
  Button as AriaButton,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Group,
  Input,
} from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import type { IconName } from '../icons/names.ts';
import styles from './field.module.css';
import { FieldFeet, FieldLabel, type FieldWords, isRefused } from './field.tsx';

export type Common = FieldWords & { placeholder?: string; size?: 'medium' | 'large'; className?: string };

export function fieldLook(size: Common['size'], className: string | undefined): string {
  return classes(styles['field'], size === 'large' && styles['large'], className);
}

export type TextFieldProps = Common &
  Omit<AriaTextFieldProps, 'children' | 'className' | 'isInvalid'> & {
    icon?: IconName;
    /** Stands at the end: a unit, a button. */
    end?: ReactNode;
    inputRef?: Ref<HTMLInputElement>;
  };

export function TextField(props: TextFieldProps) {
  const { label, help, fault, placeholder, size, className, icon, end, inputRef, ...rest } = props;
  return (
    <AriaTextField
      {...rest}
      validationBehavior="aria"
      isInvalid={isRefused(fault)}
      className={fieldLook(size, className)}
    >
      {label !== undefined && <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>}
      <Group className={styles['box'] ?? ''}>
        {icon && <Icon name={icon} />}
        <Input
          className={styles['input'] ?? ''}
          placeholder={placeholder}
          {...(inputRef ? { ref: inputRef } : {})}
        />
        {end}
      </Group>
      {rest.maxLength !== undefined && <Counter used={(rest.value ?? '').length} bound={rest.maxLength} />}
      <FieldFeet help={help} fault={fault} />
    </AriaTextField>
  );
}

/** Seen only near the bound, where it helps. */
function Counter({ used, bound }: { used: number; bound: number }) {
  if (used < bound * 0.8) return null;
  return (
    <span className={styles['counter']}>
      {used} / {bound}
    </span>
  );
}

export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  const { ui } = useMessages();
  const [isShown, setShown] = useState(false);
  const eye = (
    <AriaButton
      className={styles['clear'] ?? ''}
      aria-label={isShown ? ui.hidePassword : ui.showPassword}
      onPress={() => setShown(!isShown)}
    >
      <Icon name={isShown ? 'eye-off' : 'eye'} />
    </AriaButton>
  );
  return <TextField {...props} type={isShown ? 'text' : 'password'} end={eye} />;
}

export type TextAreaProps = Common &
  Omit<AriaTextFieldProps, 'children' | 'className' | 'isInvalid' | 'type'> & {
    rows?: number;
    areaRef?: Ref<HTMLTextAreaElement>;
  };

export function TextArea(props: TextAreaProps) {
  const { label, help, fault, placeholder, size, className, rows = 3, areaRef, ...rest } = props;
  return (
    <AriaTextField
      {...rest}
      validationBehavior="aria"
      isInvalid={isRefused(fault)}
      className={fieldLook(size, className)}
    >
      {label !== undefined && <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>}
      <Group className={styles['box'] ?? ''}>
        <AriaTextArea
          className={styles['area'] ?? ''}
          placeholder={placeholder}
          rows={rows}
          {...(areaRef ? { ref: areaRef } : {})}
        />
      </Group>
      {rest.maxLength !== undefined && <Counter used={(rest.value ?? '').length} bound={rest.maxLength} />}
      <FieldFeet help={help} fault={fault} />
    </AriaTextField>
  );
}
