import { type Field, fieldTypeOf } from '../fields/index.ts';
import type { CreationForm } from './form.ts';

export function FormField({
  form,
  field,
  onSend,
}: {
  readonly form: CreationForm;
  readonly field: Field;
  readonly onSend?: () => void;
}) {
  const { Control } = fieldTypeOf(field.type);
  if (Control === undefined) return null;
  return (
    <Control
      field={field}
      value={form.place.seenValue(field.field_id)}
      place={form.place}
      label={field.label}
      isRequired={field.required}
      fault={form.faultOf(field)}
      onChange={form.set}
      onSend={onSend}
      onBusy={form.noteBusy}
    />
  );
}
