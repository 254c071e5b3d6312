import { useState } from 'react';
import { type Field, type FieldValue, fieldTypeOf } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { changeArtifact } from '../store/index.ts';
import { Button, Dialog, TextArea } from '../ui/index.ts';
import styles from './artifact.module.css';
import { formChange, type SeenArtifact, useBegunForm, valueIn } from './seen.ts';

/** A step of the workflow that asks for more than a press. */
export interface Step {
  readonly field: Field;
  readonly value: FieldValue;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly comment: boolean;
}

/** Asks for just what the step needs, and stores all of it as one change. */
export function StepDialog({
  seen,
  step,
  onClose,
}: {
  readonly seen: SeenArtifact;
  readonly step: Step;
  readonly onClose: () => void;
}) {
  const { artifact: words, fields: fieldWords } = useMessages();
  const { etag, before } = useBegunForm(seen);
  const [values, setValues] = useState<ReadonlyMap<number, FieldValue>>(new Map());
  const [comment, setComment] = useState('');
  const [isTried, setTried] = useState(false);
  const valueNow = (field: Field) => values.get(field.field_id) ?? valueIn(seen.artifact, field.field_id);
  const isMissing = (field: Field) => fieldTypeOf(field.type).isEmpty(valueNow(field));
  const save = () => {
    setTried(true);
    if (step.fields.some(isMissing) || (step.comment && comment.trim() === '')) return;
    const fields = step.fields.flatMap((field) => {
      const value = values.get(field.field_id);
      return value === undefined ? [] : [formChange(field, value, before)];
    });
    changeArtifact(seen.artifact.uri, {
      fields: [formChange(step.field, step.value, before), ...fields],
      ...(comment.trim() === '' ? {} : { comment: { body: comment, format: 'commonmark' } }),
      etag,
    });
    onClose();
  };
  return (
    <Dialog
      title={words.needs(step.name)}
      isOpen
      onClose={onClose}
      width="medium"
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" onPress={save}>
            {words.change}
          </Button>
        </>
      }
    >
      <p>{words.needsWords}</p>
      <div className={styles['formRows']}>
        {step.fields.map((field) => {
          const { Control } = fieldTypeOf(field.type);
          return Control === undefined ? null : (
            <Control
              key={field.field_id}
              field={field}
              value={valueNow(field)}
              place={seen.place}
              label={field.label}
              isRequired
              fault={isTried && isMissing(field) ? fieldWords.required(field.label) : null}
              onChange={(value) => setValues(new Map(values).set(field.field_id, value))}
              onSend={save}
            />
          );
        })}
        <TextArea
          label={words.commentLabel}
          isRequired={step.comment}
          value={comment}
          onChange={setComment}
          fault={isTried && step.comment && comment.trim() === '' ? words.commentRequired : null}
        />
      </div>
    </Dialog>
  );
}
