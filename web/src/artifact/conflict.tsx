import { useState } from 'react';
import {
  type Field,
  type FieldValue,
  fieldTypeOf,
  formatOf,
  holds,
  personOf,
  sourceOf,
  type TextFormat,
} from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  type FieldConflict,
  type FieldEntry,
  type PendingChange,
  resolveConflict,
  useStanding,
} from '../store/index.ts';
import { Button, classes, Dialog, Face, Icon, TextArea } from '../ui/index.ts';
import styles from './conflict.module.css';
import type { SeenArtifact } from './seen.ts';

type Side = 'mine' | 'theirs';

/** A text that was taken or written, in the format of the side that it is of: tags are no Markdown. */
interface ChosenText {
  readonly content: string;
  readonly format: TextFormat;
}

/** Both versions side by side, where merging left a question; nobody is wrong, so nothing is red. */
export function ConflictDialog({
  seen,
  change,
  onClose,
}: {
  readonly seen: SeenArtifact;
  readonly change: PendingChange;
  readonly onClose: () => void;
}) {
  const { artifact: words } = useMessages();
  const [sides, setSides] = useState<ReadonlyMap<number, Side>>(new Map());
  const [texts, setTexts] = useState<ReadonlyMap<number, ChosenText>>(new Map());
  const conflicts = change.conflicts ?? [];
  const left = conflicts.filter(({ fieldId }) => !sides.has(fieldId) && !texts.has(fieldId)).length;
  const merged = change.fields.filter(({ fieldId }) =>
    conflicts.every((conflict) => conflict.fieldId !== fieldId),
  );
  const { last_update_by_user: other, last_modified_date: when } = seen.artifact;
  const name = personOf(other).name;
  const save = () => {
    const choices = new Map<number, FieldEntry | undefined>();
    for (const conflict of conflicts) choices.set(conflict.fieldId, chosenEntry(conflict, sides, texts));
    resolveConflict(change.id, choices);
    onClose();
  };
  return (
    <Dialog
      title={words.conflict.titleBy(name)}
      isOpen
      onClose={onClose}
      width="wide"
      isDismissable={false}
      aside={left > 0 ? words.conflict.stillToChoose(left, conflicts.length) : ''}
      buttons={
        <>
          <Button onPress={onClose}>{words.conflict.cancel}</Button>
          <Button kind="primary" isDisabled={left > 0} onPress={save}>
            {words.conflict.save}
          </Button>
        </>
      }
    >
      <p>{words.conflict.words}</p>
      <SideNames name={name} when={when} seen={seen} />
      {conflicts.map((conflict) => (
        <ConflictRow
          key={conflict.fieldId}
          seen={seen}
          change={change}
          conflict={conflict}
          side={sides.get(conflict.fieldId)}
          text={texts.get(conflict.fieldId)}
          onSide={(side) => setSides(new Map(sides).set(conflict.fieldId, side))}
          onText={(text) => setTexts(new Map(texts).set(conflict.fieldId, text))}
        />
      ))}
      {merged.length > 0 && (
        <p className={styles['merged']}>
          <Icon name="circle-check" />
          {words.conflict.merged} <strong>{merged.map(({ label }) => label).join(', ')}</strong>
        </p>
      )}
    </Dialog>
  );
}

function chosenEntry(
  { fieldId, mine }: FieldConflict,
  sides: ReadonlyMap<number, Side>,
  texts: ReadonlyMap<number, ChosenText>,
): FieldEntry | undefined {
  const text = texts.get(fieldId);
  if (text !== undefined) return { ...mine, value: text };
  return sides.get(fieldId) === 'mine' ? mine : undefined;
}

function SideNames({
  name,
  when,
  seen,
}: {
  readonly name: string;
  readonly when: string;
  readonly seen: SeenArtifact;
}) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const { user } = useStanding();
  return (
    <div className={styles['row']}>
      <span />
      <span className={styles['name']}>
        {user && <Face {...personOf(user)} size={16} />}
        {words.conflict.yours}
      </span>
      <span className={styles['name']}>
        <Face {...personOf(seen.artifact.last_update_by_user)} size={16} />
        {words.conflict.theirsBy(name, formats.ago(when))}
      </span>
    </div>
  );
}

type RowProps = {
  readonly seen: SeenArtifact;
  readonly change: PendingChange;
  readonly conflict: FieldConflict;
  readonly side: Side | undefined;
  readonly text: ChosenText | undefined;
  readonly onSide: (side: Side) => void;
  readonly onText: (text: ChosenText) => void;
};

const isValue = (value: unknown): value is FieldValue =>
  typeof value === 'object' && value !== null && 'field_id' in value && 'type' in value;

function ConflictRow({ seen, change, conflict, side, text, onSide, onText }: RowProps) {
  const field = seen.tracker.fields.find(({ field_id: id }) => id === conflict.fieldId);
  const mine = change.fields.find(({ fieldId }) => fieldId === conflict.fieldId)?.value;
  if (field === undefined) return null;
  const theirs = isValue(conflict.theirs) ? conflict.theirs : undefined;
  const own = mine !== undefined && isValue(mine) ? mine : undefined;
  if (holds(field, 'text'))
    return <TextRow field={field} mine={own} theirs={theirs} text={text} onText={onText} />;
  return (
    <div className={styles['row']} role="radiogroup" aria-label={field.label}>
      <span className={styles['label']}>{field.label}</span>
      <ChoiceBox
        field={field}
        value={own}
        seen={seen}
        isChosen={side === 'mine'}
        onChoose={() => onSide('mine')}
      />
      <ChoiceBox
        field={field}
        value={theirs}
        seen={seen}
        isChosen={side === 'theirs'}
        onChoose={() => onSide('theirs')}
      />
    </div>
  );
}

function ChoiceBox({
  field,
  value,
  seen,
  isChosen,
  onChoose,
}: {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly seen: SeenArtifact;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { Reader } = fieldTypeOf(field.type);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a whole box with marks in it is the choice
    <button
      type="button"
      role="radio"
      aria-checked={isChosen}
      className={classes(styles['choice'], isChosen && styles['chosen'])}
      onClick={onChoose}
    >
      <span className={styles['radio']} />
      <Reader field={field} value={value} place={seen.place} />
    </button>
  );
}

const textOf = (value: FieldValue | undefined): ChosenText => ({
  content: sourceOf(value),
  format: formatOf(value),
});

/** Both texts can be taken, or one written of them. */
function TextRow({
  field,
  mine,
  theirs,
  text,
  onText,
}: {
  readonly field: Field;
  readonly mine: FieldValue | undefined;
  readonly theirs: FieldValue | undefined;
  readonly text: ChosenText | undefined;
  readonly onText: (text: ChosenText) => void;
}) {
  const { artifact: words } = useMessages();
  const [own, others] = [textOf(mine), textOf(theirs)];
  const part = (name: string, side: ChosenText) => (
    <div className={styles['block']}>
      <span className={styles['blockName']}>{name}</span>
      <span className={styles['blockText']}>{side.content}</span>
      <Button size="small" onPress={() => onText(side)}>
        {words.conflict.takeIt}
      </Button>
    </div>
  );
  return (
    <div className={styles['textRow']}>
      <span className={styles['label']}>{field.label}</span>
      <div className={styles['blocks']}>
        {text === undefined ? (
          <>
            {part(words.conflict.yours, own)}
            {part(words.conflict.theirs, others)}
            <div className={styles['block']}>
              <span />
              <span />
              <Button
                size="small"
                onPress={() => onText({ ...own, content: `${own.content}\n\n${others.content}` })}
              >
                {words.conflict.takeBoth}
              </Button>
            </div>
          </>
        ) : (
          <TextArea
            aria-label={field.label}
            value={text.content}
            onChange={(content) => onText({ ...text, content })}
            rows={6}
          />
        )}
      </div>
    </div>
  );
}
