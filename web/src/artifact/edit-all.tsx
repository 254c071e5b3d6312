import { useState } from 'react';
import {
  brokenDateRules,
  type Field,
  type FieldValue,
  fieldTypeOf,
  holds,
  shapeOf,
  type TextFile,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { changeArtifact, type DraftBegin, useDraft } from '../store/index.ts';
import { Button, Dialog, TextArea } from '../ui/index.ts';
import styles from './artifact.module.css';
import { fieldsWithin, formParts } from './layout.ts';
import {
  type FormBefore,
  fileChanges,
  formChange,
  moreOf,
  type SeenArtifact,
  useBegunForm,
  useReasonNot,
  valueIn,
} from './seen.ts';

type Draft = {
  readonly values: Readonly<Record<string, FieldValue>>;
  readonly comment: string;
  readonly files: readonly TextFile[];
};
const NOTHING: Draft = { values: {}, comment: '', files: [] };

function begunEarlier(begun: DraftBegin | undefined) {
  // It was kept by this form, with the values of its artifact.
  return begun && { etag: begun.etag, before: (begun.before ?? []) as FormBefore };
}

/** Every field that one may change, stored as one change with a comment. */
export function EditAll({ seen, onClose }: { readonly seen: SeenArtifact; readonly onClose: () => void }) {
  const { artifact: words, fields: fieldWords } = useMessages();
  const { artifact, tracker } = seen;
  const reasonNot = useReasonNot();
  const opened = useBegunForm(seen);
  const kept = useDraft<Draft>(artifact.uri, 'all fields', opened);
  // What was typed on an earlier visit is a change of what was seen then.
  const { etag, before } = begunEarlier(kept.begun) ?? opened;
  const [typed, setTyped] = useState<Draft | null>(null);
  const [isTried, setTried] = useState(false);
  const draft = typed ?? kept.content ?? NOTHING;
  const { hiddenFieldsetIds } = moreOf(artifact);
  const fields = formParts(tracker)
    .filter(({ field }) => !hiddenFieldsetIds.has(field.field_id))
    .flatMap(fieldsWithin)
    // Links are added and removed by themselves, beside their list.
    .filter(
      (field) => shapeOf(field) === undefined && !holds(field, 'links') && reasonNot(seen, field) === null,
    );
  const set = (next: Partial<Draft>) => {
    const after = { ...draft, ...next };
    setTyped(after);
    kept.keep(after);
  };
  const valueNow = (id: number) => draft.values[id] ?? valueIn(artifact, id);
  const place = { ...seen.place, seenValue: valueNow };
  const faults = faultsOf();
  function faultsOf(): ReadonlyMap<number, string> {
    const found = new Map<number, string>();
    const labels = new Map(tracker.fields.map(({ field_id: id, label }) => [id, label]));
    for (const field of fields)
      if (field.required && fieldTypeOf(field.type).isEmpty(valueNow(field.field_id)))
        found.set(field.field_id, fieldWords.required(field.label));
    for (const { sourceId, targetId, comparator } of brokenDateRules(tracker, valueNow))
      for (const id of [sourceId, targetId])
        found.set(id, words.dateRule(labels.get(sourceId) ?? '', comparator, labels.get(targetId) ?? ''));
    return found;
  }
  const isChanged = (field: Field) => {
    const next = draft.values[field.field_id];
    const old = before.find(({ field_id: id }) => id === field.field_id);
    const type = fieldTypeOf(field.type);
    return (
      next !== undefined &&
      JSON.stringify(type.entryOf(field, next)) !== JSON.stringify(old && type.entryOf(field, old))
    );
  };
  const save = () => {
    setTried(true);
    if (faults.size > 0) return;
    const changes = fields.flatMap((field) => {
      const value = draft.values[field.field_id];
      return value !== undefined && isChanged(field) ? [formChange(field, value, before)] : [];
    });
    const text = JSON.stringify(draft.values);
    const attached = changes.some(({ value }) => value !== undefined && 'file_descriptions' in value)
      ? []
      : fileChanges(seen, draft.files, text);
    kept.discard();
    if (changes.length > 0 || draft.comment.trim() !== '')
      changeArtifact(artifact.uri, {
        fields: [...changes, ...attached],
        ...(draft.comment.trim() === '' ? {} : { comment: { body: draft.comment, format: 'commonmark' } }),
        etag,
      });
    onClose();
  };
  if (!kept.isKnown) return null;
  return (
    <Dialog
      title={`${words.editAll}: ${artifact.xref}`}
      isOpen
      onClose={onClose}
      width="wide"
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" onPress={save}>
            {words.changeAll}
          </Button>
        </>
      }
    >
      <div className={styles['formRows']}>
        {fields.map((field) => {
          const { Control, isWide } = fieldTypeOf(field.type);
          return Control === undefined ? null : (
            <div key={field.field_id}>
              {isWide && <div className={styles['label']}>{field.label}</div>}
              <Control
                field={field}
                value={valueNow(field.field_id)}
                place={place}
                label={isWide ? undefined : field.label}
                isRequired={field.required}
                fault={isTried ? (faults.get(field.field_id) ?? null) : null}
                onChange={(value) => set({ values: { ...draft.values, [field.field_id]: value } })}
                onFile={(file) => set({ files: [...draft.files, file] })}
                onSend={save}
              />
            </div>
          );
        })}
        <TextArea
          label={words.commentOnChange}
          value={draft.comment}
          onChange={(comment) => set({ comment })}
        />
      </div>
    </Dialog>
  );
}
