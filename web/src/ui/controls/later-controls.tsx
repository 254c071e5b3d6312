import { type ReactNode, Suspense } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import { later } from '../later.ts';
import { richText } from '../text/later-texts.tsx';
import styles from './field.module.css';
import { HeldKeys } from './held-keys.tsx';
import type { SearchFieldProps } from './text-field.tsx';

const controls = later(() => import('./form-controls.ts'));
type Controls = Awaited<ReturnType<typeof controls.load>>;

/** For pages that are forms or texts: they are drawn with all of their controls at once. */
export async function loadControls(): Promise<void> {
  await Promise.all([controls.load(), richText.load()]);
}

/** A control that arrives with the others. */
function arriving<Props extends object>(pick: (all: Controls) => (props: Props) => ReactNode) {
  function Arrived(props: Props) {
    const Control = pick(controls.use());
    return <Control {...props} />;
  }
  return function Arriving(props: Props) {
    const takesFocus = 'autoFocus' in props && props.autoFocus === true;
    return (
      <Suspense fallback={takesFocus ? <HeldKeys /> : null}>
        <Arrived {...props} />
      </Suspense>
    );
  };
}

export const Checkbox = arriving((all) => all.Checkbox);
export const CheckboxGroup = arriving((all) => all.CheckboxGroup);
export const MultiSelect = arriving((all) => all.MultiSelect);
export const NumberField = arriving((all) => all.NumberField);
export const PasswordField = arriving((all) => all.PasswordField);
export const Radio = arriving((all) => all.Radio);
export const RadioGroup = arriving((all) => all.RadioGroup);
export const Select = arriving((all) => all.Select);
export const Switch = arriving((all) => all.Switch);
export const TextArea = arriving((all) => all.TextArea);
export const TextField = arriving((all) => all.TextField);
export const TokenField = arriving((all) => all.TokenField);

function ArrivedSearchField(props: SearchFieldProps) {
  const Control = controls.usePatiently().SearchField;
  return <Control {...props} />;
}

/** Stands on pages that are lists: rows come first, and nothing moves when it can be typed into. */
export function SearchField(props: SearchFieldProps) {
  return (
    <Suspense fallback={<WaitingSearchField {...props} />}>
      <ArrivedSearchField {...props} />
    </Suspense>
  );
}

function WaitingSearchField({ placeholder, size, className }: SearchFieldProps) {
  return (
    <div
      className={classes(styles['field'], size === 'large' && styles['large'], className)}
      aria-hidden="true"
      onPointerEnter={() => void controls.load()}
    >
      <div className={classes(styles['box'], styles['quietBox'])}>
        <Icon name="search" />
        <span className={styles['input']}>{placeholder}</span>
      </div>
    </div>
  );
}
