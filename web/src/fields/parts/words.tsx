import { useMessages } from '../../messages/index.ts';
import { EmptyDash, TextField } from '../../ui/index.ts';
import { type ControlProps, numberIn, propertiesOf, type ReaderProps, textIn, withValue } from '../model.ts';

export function WordsReader({ value }: ReaderProps) {
  const text = textIn(value?.['value']);
  return text === '' ? <EmptyDash /> : <span>{text}</span>;
}

export function WordsControl({
  field,
  value,
  onChange,
  label,
  fault,
  isRequired,
  autoFocus,
  onSend,
  onEscape,
}: ControlProps) {
  const { fields } = useMessages();
  const most = numberIn(propertiesOf(field)['maxchars']) ?? 0;
  const text = textIn(value?.['value']);
  return (
    <TextField
      {...(label === undefined ? { 'aria-label': field.label } : { label })}
      value={text}
      onChange={(typed) => onChange(withValue(field, { value: typed.replace(/[\r\n]+/g, ' ') }))}
      fault={fault ?? (most > 0 && [...text].length > most ? fields.tooLong(most) : null)}
      {...(most > 0 ? { maxLength: most } : {})}
      isRequired={isRequired ?? false}
      autoFocus={autoFocus ?? false}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && onSend) onSend();
        else if (event.key === 'Escape' && onEscape) onEscape();
        else event.continuePropagation();
      }}
    />
  );
}
