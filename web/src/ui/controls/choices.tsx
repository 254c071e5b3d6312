import type { ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  type CheckboxGroupProps as AriaCheckboxGroupProps,
  type CheckboxProps as AriaCheckboxProps,
  Radio as AriaRadio,
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
  type RadioProps as AriaRadioProps,
  Switch as AriaSwitch,
  type SwitchProps as AriaSwitchProps,
} from 'react-aria-components';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import { useChosen } from './chosen.ts';
import styles from './field.module.css';
import { FieldFeet, FieldLabel, type FieldWords, isRefused } from './field.tsx';

type Words = { children?: ReactNode; help?: ReactNode; className?: string };

function ChoiceWords({ children, help }: Words) {
  if (children === undefined) return null;
  return (
    <span className={styles['choiceWords']}>
      <span>{children}</span>
      {help !== undefined && <span className={styles['help']}>{help}</span>}
    </span>
  );
}

/** For what is sent with a form; what works at once is a `Switch`. */
export function Checkbox({
  children,
  help,
  className,
  ...rest
}: Omit<AriaCheckboxProps, 'children' | 'className'> & Words) {
  return (
    <AriaCheckbox {...rest} className={classes(styles['choice'], className)}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles['mark']}>
            {isIndeterminate ? (
              <Icon name="minus" size={14} />
            ) : (
              isSelected && <Icon name="check" size={14} />
            )}
          </span>
          <ChoiceWords help={help}>{children}</ChoiceWords>
        </>
      )}
    </AriaCheckbox>
  );
}

type GroupLook = FieldWords & { isRow?: boolean; className?: string; children: ReactNode };

export function CheckboxGroup(
  props: Omit<AriaCheckboxGroupProps, 'children' | 'className' | 'isInvalid' | 'value' | 'onChange'> &
    GroupLook & { value?: string[]; onChange?: (next: string[]) => unknown },
) {
  const { label, help, fault, isRow = false, className, children, value, onChange, ...rest } = props;
  const [chosen, choose] = useChosen(value, onChange);
  return (
    <AriaCheckboxGroup
      {...rest}
      {...(chosen === undefined ? {} : { value: chosen })}
      onChange={choose}
      validationBehavior="aria"
      isInvalid={isRefused(fault)}
      className={classes(styles['field'], className)}
    >
      {label !== undefined && <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>}
      <div className={classes(styles['choices'], isRow && styles['row'])}>{children}</div>
      <FieldFeet help={help} fault={fault} />
    </AriaCheckboxGroup>
  );
}

export function RadioGroup(
  props: Omit<AriaRadioGroupProps, 'children' | 'className' | 'isInvalid'> & GroupLook,
) {
  const { label, help, fault, isRow = false, className, children, ...rest } = props;
  return (
    <AriaRadioGroup
      {...rest}
      validationBehavior="aria"
      isInvalid={isRefused(fault)}
      className={classes(styles['field'], className)}
    >
      {label !== undefined && <FieldLabel isRequired={rest.isRequired}>{label}</FieldLabel>}
      <div className={classes(styles['choices'], isRow && styles['row'])}>{children}</div>
      <FieldFeet help={help} fault={fault} />
    </AriaRadioGroup>
  );
}

export function Radio({
  children,
  help,
  className,
  ...rest
}: Omit<AriaRadioProps, 'children' | 'className'> & Words) {
  return (
    <AriaRadio {...rest} className={classes(styles['choice'], className)}>
      <span className={classes(styles['mark'], styles['round'])} />
      <ChoiceWords help={help}>{children}</ChoiceWords>
    </AriaRadio>
  );
}

type SwitchProps = Omit<AriaSwitchProps, 'children' | 'className' | 'onChange'> &
  Words & {
    /** With a promise of it being stored, it is seen before that. */
    onChange?: (isSelected: boolean) => unknown;
  };

/** For what works at once. */
export function Switch({ children, help, className, isSelected, onChange, ...rest }: SwitchProps) {
  const [chosen, choose] = useChosen(isSelected, onChange);
  return (
    <AriaSwitch
      {...rest}
      {...(chosen === undefined ? {} : { isSelected: chosen })}
      onChange={choose}
      className={classes(styles['choice'], className)}
    >
      <span className={styles['track']} />
      <ChoiceWords help={help}>{children}</ChoiceWords>
    </AriaSwitch>
  );
}
