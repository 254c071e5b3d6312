import { type ReactNode, Suspense } from 'react';
import { later } from '../later.ts';
import { richText } from '../text/later-texts.tsx';
import { HeldKeys } from './held-keys.tsx';

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
