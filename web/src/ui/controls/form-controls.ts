/** What forms are made of: one part of the application, which arrives as a whole. */
export { Checkbox, CheckboxGroup, Radio, RadioGroup, Switch } from './choices.tsx';
export { NumberField } from './number-field.tsx';
export { MultiSelect, Select } from './select.tsx';
export { PasswordField, TextArea, TextField } from './text-field.tsx';
export { TokenField } from './token-field.tsx';
