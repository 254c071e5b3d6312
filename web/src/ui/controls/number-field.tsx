import type { Ref } from 'react';
import {
  Button as AriaButton,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
  Group,
  Input,
} from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { Icon } from '../icons/icon.tsx';
import styles from './field.module.css';
import { FieldFeet, FieldLabel, isRefused } from './field.tsx';
import { type Common, fieldLook } from './text-field.tsx';

export type NumberFieldProps = Common &
  Omit<AriaNumberFieldProps, 'children' | 'className' | 'isInvalid'> & {
    unit?: string;
    inputRef?: Ref<HTMLInputElement>;
  };

export function NumberField(props: NumberFieldProps) {
  const { ui } = useMessages();
  const { label, help, fault, placeholder, size, className, unit, inputRef, ...rest } = props;
  return (
    <AriaNumberField
      {...rest}
      validationBehavior="aria"
      isInvalid={isRefused(fault)}
      className={fieldLook(size, className)}
    >
      {label !== undefined && <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>}
      <Group className={styles['box'] ?? ''}>
        <Input
          className={styles['input'] ?? ''}
          placeholder={placeholder}
          {...(inputRef ? { ref: inputRef } : {})}
        />
        {unit !== undefined && <span className={styles['unit']}>{unit}</span>}
        <span className={styles['steppers']}>
          <AriaButton slot="increment" aria-label={ui.increase}>
            <Icon name="chevron-up" size={12} />
          </AriaButton>
          <AriaButton slot="decrement" aria-label={ui.decrease}>
            <Icon name="chevron-down" size={12} />
          </AriaButton>
        </span>
      </Group>
      <FieldFeet help={help} fault={fault} />
    </AriaNumberField>
  );
}
