import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  brokenDateRules,
  ChangedByOther,
  type Field,
  type FieldValue,
  fieldTypeOf,
  sourceOf,
  type TextFile,
} from '../fields/index.ts';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { changeArtifact, type DraftBegin, useDraft } from '../store/index.ts';
import { Button, classes, focusBack, Icon, IconButton, NotSavedYet } from '../ui/index.ts';
import styles from './artifact.module.css';
import { onEditAgain } from './edit-again.ts';
import {
  type Begun,
  begunWith,
  fieldChange,
  fileChanges,
  isDueField,
  type SeenArtifact,
  useBegun,
  useReasonNot,
  useStore,
  valueIn,
} from './seen.ts';

export interface EditableFieldProps {
  readonly seen: SeenArtifact;
  readonly field: Field;
  /** Wide ones have a heading of their own, and a pencil beside it. */
  readonly isWide?: boolean;
}

/** A value where it stands: pressed, it becomes its control. */
export function EditableField({ seen, field, isWide = false }: EditableFieldProps) {
  const reasonNot = useReasonNot()(seen, field);
  const type = fieldTypeOf(field.type);
  if (reasonNot !== null) return <FixedField seen={seen} field={field} reason={reasonNot} isWide={isWide} />;
  if (type.isChoice) return <ChosenField seen={seen} field={field} isWide={isWide} />;
  return <TypedField seen={seen} field={field} isWide={isWide} />;
}

function Heading({ field, act }: { readonly field: Field; readonly act?: ReactNode }) {
  return (
    <div className={styles['sectionHead']}>
      <h2>{field.label}</h2>
      {act}
    </div>
  );
}

function FixedField({ seen, field, reason, isWide }: EditableFieldProps & { readonly reason: string }) {
  const { Reader } = fieldTypeOf(field.type);
  const value = valueIn(seen.artifact, field.field_id);
  const reader = <Reader field={field} value={value} place={seen.place} isDue={isDueField(seen, field)} />;
  if (isWide === true)
    return (
      <section className={styles['section']}>
        <Heading field={field} />
        {reader}
      </section>
    );
  return (
    <div className={styles['fixed']} title={reason}>
      {reader}
      <Icon name="lock" size={13} label={reason} className={styles['lock'] ?? ''} />
    </div>
  );
}

/** A choice is stored at once; several of a list when it is closed, so that they are one change. */
function ChosenField({ seen, field, isWide }: EditableFieldProps) {
  const store = useStore(seen);
  const { Control } = fieldTypeOf(field.type);
  const [chosen, setChosen] = useState<FieldValue | null>(null);
  /** What was seen when the list was opened. */
  const begun = useRef<Begun>(undefined);
  const value = valueIn(seen.artifact, field.field_id);
  const isSeveral = fieldTypeOf(field.type).chooses === 'several';
  const openOrClose = (isOpen: boolean) => {
    if (isOpen) {
      begun.current = begunWith(seen, field);
      return;
    }
    if (chosen !== null) store(field, chosen, begun.current);
    begun.current = undefined;
    setChosen(null);
  };
  if (Control === undefined) return null;
  const control = (
    <Control
      field={field}
      value={chosen ?? value}
      place={seen.place}
      look="value"
      onChange={(next) => (isSeveral ? setChosen(next) : store(field, next, begun.current))}
      onOpenChange={openOrClose}
      label={isWide === true ? field.label : undefined}
    />
  );
  return (
    <div
      className={classes(styles['chosen'], !fieldTypeOf(field.type).isWide && styles['inPlace'])}
      data-field={field.name}
    >
      {control}
      {seen.isPending(field.field_id) && <NotSavedYet />}
    </div>
  );
}

/** What is typed is stored by Enter, Ctrl Enter or *Save*; Escape leaves, and the draft stays. */
function TypedField({ seen, field, isWide }: EditableFieldProps) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const labelId = useId();
  const { uri } = seen.artifact;
  const store = useStore(seen);
  const type = fieldTypeOf(field.type);
  const { Reader } = type;
  const [isEditing, setEditing] = useState(false);
  const [again, setAgain] = useState<FieldValue | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const value = valueIn(seen.artifact, field.field_id);
  useEffect(() => {
    const open = (typed: FieldValue | undefined) => {
      setAgain(typed);
      setEditing(true);
    };
    return onEditAgain(uri, field.field_id, open);
  }, [uri, field.field_id]);

  const leave = () => {
    setEditing(false);
    setAgain(undefined);
    focusBack(button);
  };
  const save = (next: FieldValue, files: readonly TextFile[], begun: Begun) => {
    const isSame =
      JSON.stringify(type.entryOf(field, next)) === JSON.stringify(value && type.entryOf(field, value));
    const attached = fileChanges(seen, files, files.length === 0 ? '' : sourceOf(next));
    const { before, etag } = begun;
    if (!isSame && attached.length === 0) store(field, next, begun);
    else if (!isSame)
      changeArtifact(uri, { fields: [{ ...fieldChange(field, next), before }, ...attached], etag });
    leave();
  };
  if (isEditing)
    return (
      <Editing
        seen={seen}
        field={field}
        isWide={isWide ?? false}
        again={again}
        onSave={save}
        onLeave={leave}
      />
    );
  const reader = (
    <Reader
      field={field}
      value={value}
      place={seen.place}
      isDue={isDueField(seen, field)}
      onChange={(next) => store(field, next)}
    />
  );
  if (isWide === true)
    return (
      <section className={styles['section']} data-field={field.name}>
        <Heading
          field={field}
          act={
            <span className={styles['sectionAct']}>
              {seen.isPending(field.field_id) && <NotSavedYet />}
              <IconButton
                ref={button}
                icon="pencil"
                label={words.edit(field.label)}
                onPress={() => setEditing(true)}
              />
            </span>
          }
        />
        {type.isEmpty(value) ? (
          <button type="button" className={styles['addText']} onClick={() => setEditing(true)}>
            {words.edit(field.label)}
          </button>
        ) : (
          reader
        )}
      </section>
    );
  const said = type.summary(value, formats);
  return (
    <div className={styles['inPlace']} data-field={field.name}>
      <button
        type="button"
        ref={button}
        id={labelId}
        className={styles['valueButton']}
        aria-label={`${words.edit(field.label)}: ${said === '' ? words.nothing : said}`}
        onClick={() => setEditing(true)}
      >
        {reader}
      </button>
      {seen.isPending(field.field_id) && <NotSavedYet />}
    </div>
  );
}

type EditingProps = {
  readonly seen: SeenArtifact;
  readonly field: Field;
  readonly isWide: boolean;
  readonly again: FieldValue | undefined;
  readonly onSave: (value: FieldValue, files: readonly TextFile[], begun: Begun) => void;
  readonly onLeave: () => void;
};

function Editing({ seen, field, isWide, again, onSave, onLeave }: EditingProps) {
  const { artifact: words, fields: fieldWords } = useMessages();
  const formats = useFormats();
  const type = fieldTypeOf(field.type);
  const { Control } = type;
  const opened = useBegun(seen, field);
  const draft = useDraft<FieldValue>(seen.artifact.uri, `field ${field.field_id}`, opened);
  const stored = valueIn(seen.artifact, field.field_id);
  // What was typed on an earlier visit is a change of what was seen then.
  const begun = again === undefined ? (begunEarlier(draft.begun) ?? opened) : opened;
  const [typed, setTyped] = useState<FieldValue | null>(again ?? null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fileDraft = useDraft<readonly TextFile[]>(seen.artifact.uri, `files of field ${field.field_id}`);
  const [newFiles, setNewFiles] = useState<readonly TextFile[]>([]);
  const files = [...(fileDraft.content ?? []), ...newFiles];
  const value = typed ?? draft.content ?? stored;
  const latest = useRef(value);
  latest.current = value;
  const change = (next: FieldValue) => {
    latest.current = next;
    setTyped(next);
    setFault(null);
    draft.keep(next);
  };
  /** Rules between days look at the others as they are seen. */
  const brokenRule = (next: FieldValue | undefined): string | undefined => {
    const { tracker, place } = seen;
    const valueNow = (id: number) => (id === field.field_id ? next : place.seenValue(id));
    const rule = brokenDateRules(tracker, valueNow).find(
      ({ sourceId, targetId }) => sourceId === field.field_id || targetId === field.field_id,
    );
    const labelOf = (id: number) => tracker.fields.find(({ field_id: each }) => each === id)?.label ?? '';
    return rule && words.dateRule(labelOf(rule.sourceId), rule.comparator, labelOf(rule.targetId));
  };
  const save = () => {
    const next = latest.current;
    if (field.required && type.isEmpty(next)) return setFault(fieldWords.required(field.label));
    const broken = brokenRule(next);
    if (broken !== undefined) return setFault(broken);
    draft.discard();
    fileDraft.discard();
    if (next === undefined) onLeave();
    else onSave(next, files, begun);
  };
  if (Control === undefined || !draft.isKnown) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its controls take the key, which leaves the field and not the panel.
    <div
      className={classes(styles['editing'], isWide && styles['section'])}
      data-field={field.name}
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
    >
      {isWide && <Heading field={field} />}
      <Control
        field={field}
        value={value}
        place={seen.place}
        onChange={change}
        fault={fault}
        autoFocus
        onSend={save}
        onFile={(file) => {
          setNewFiles((before) => [...before, file]);
          fileDraft.keep([...files, file]);
        }}
        onEscape={onLeave}
        isRequired={field.required}
        onBusy={setBusy}
      />
      <ChangedByOther
        trackerId={seen.tracker.id}
        uri={seen.artifact.uri}
        field={field}
        value={valueIn(seen.artifact, field.field_id)}
      />
      <div className={styles['editingButtons']}>
        {typed === null && draft.keptAt !== undefined && (
          <span className={styles['draft']}>
            {words.draftKept(formats.time(deviceMoment(draft.keptAt)))}
            <button type="button" onClick={draft.discard}>
              {words.discardDraft}
            </button>
          </span>
        )}
        <Button size="small" onPress={onLeave}>
          {words.cancel}
        </Button>
        <Button size="small" kind="primary" isDisabled={isBusy} onPress={save}>
          {words.save}
        </Button>
      </div>
    </div>
  );
}

function begunEarlier(begun: DraftBegin | undefined): Begun | undefined {
  // It was kept by this control, with a value of its field.
  return begun && { etag: begun.etag, before: begun.before as FieldValue | undefined };
}
