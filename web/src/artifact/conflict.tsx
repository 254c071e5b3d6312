import { type KeyboardEvent, useState } from 'react';
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
import { type LastChange, useLastChanges } from './calls.ts';
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
  const formats = useFormats();
  const lastChangeOf = useLastChanges(seen.artifact);
  const lastChanges = conflicts.map(({ fieldId }) => lastChangeOf(fieldId));
  const names = [...new Set(lastChanges.map(({ by }) => personOf(by).name))];
  const save = () => {
    const choices = new Map<number, FieldEntry | undefined>();
    for (const conflict of conflicts) choices.set(conflict.fieldId, chosenEntry(conflict, sides, texts));
    resolveConflict(change.id, choices);
    onClose();
  };
  return (
    <Dialog
      title={words.conflict.titleBy(formats.list(names))}
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
      <SideNames theirs={names.length === 1 ? lastChanges[0] : undefined} />
      {conflicts.map((conflict) => (
        <ConflictRow
          key={conflict.fieldId}
          seen={seen}
          change={change}
          conflict={conflict}
          theirs={names.length === 1 ? undefined : lastChangeOf(conflict.fieldId)}
          theirName={personOf(lastChangeOf(conflict.fieldId).by).name}
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

/** Who wrote what; where several did, each field says it. */
function SideNames({ theirs }: { readonly theirs: LastChange | undefined }) {
  const { artifact: words } = useMessages();
  const { user } = useStanding();
  return (
    <div className={styles['row']}>
      <span />
      <span className={styles['name']}>
        {user && <Face {...personOf(user)} size={16} />}
        {words.conflict.yours}
      </span>
      {theirs === undefined ? (
        <span className={styles['name']}>{words.conflict.theirs}</span>
      ) : (
        <TheirName theirs={theirs} />
      )}
    </div>
  );
}

function TheirName({ theirs: { by, on } }: { readonly theirs: LastChange }) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  return (
    <span className={styles['name']}>
      <Face {...personOf(by)} size={16} />
      {words.conflict.theirsBy(personOf(by).name, formats.ago(on))}
    </span>
  );
}

type RowProps = {
  readonly seen: SeenArtifact;
  readonly change: PendingChange;
  readonly conflict: FieldConflict;
  /** Where others wrote in other fields. */
  readonly theirs: LastChange | undefined;
  readonly theirName: string;
  readonly side: Side | undefined;
  readonly text: ChosenText | undefined;
  readonly onSide: (side: Side) => void;
  readonly onText: (text: ChosenText) => void;
};

const isValue = (value: unknown): value is FieldValue =>
  typeof value === 'object' && value !== null && 'field_id' in value && 'type' in value;

/** Arrows choose the other of two, and lead to it. */
function moveByArrow({ key, currentTarget }: KeyboardEvent): boolean {
  if (!/^Arrow(Left|Right|Up|Down)$/.test(key)) return false;
  const boxes = [...currentTarget.querySelectorAll<HTMLElement>('[role=radio]')];
  const other = boxes.find((box) => box !== document.activeElement);
  other?.focus();
  other?.click();
  return true;
}

function ConflictRow(props: RowProps) {
  const { seen, change, conflict, theirs: last, theirName, side, text, onSide, onText } = props;
  const { artifact: words } = useMessages();
  const field = seen.tracker.fields.find(({ field_id: id }) => id === conflict.fieldId);
  const mine = change.fields.find(({ fieldId }) => fieldId === conflict.fieldId)?.value;
  if (field === undefined) return null;
  const theirs = isValue(conflict.theirs) ? conflict.theirs : undefined;
  const own = mine !== undefined && isValue(mine) ? mine : undefined;
  if (holds(field, 'text'))
    return <TextRow field={field} last={last} mine={own} theirs={theirs} text={text} onText={onText} />;
  return (
    <div
      className={styles['row']}
      role="radiogroup"
      aria-label={field.label}
      onKeyDown={(event) => moveByArrow(event) && event.preventDefault()}
    >
      <div>
        <div className={styles['label']}>{field.label}</div>
        {last && <TheirName theirs={last} />}
      </div>
      <ChoiceBox
        field={field}
        value={own}
        seen={seen}
        whose={words.conflict.yours}
        isChosen={side === 'mine'}
        isFirst={side !== 'theirs'}
        onChoose={() => onSide('mine')}
      />
      <ChoiceBox
        field={field}
        value={theirs}
        seen={seen}
        whose={theirName}
        isChosen={side === 'theirs'}
        isFirst={side === 'theirs'}
        onChoose={() => onSide('theirs')}
      />
    </div>
  );
}

function ChoiceBox({
  field,
  value,
  seen,
  whose,
  isChosen,
  isFirst,
  onChoose,
}: {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly seen: SeenArtifact;
  readonly whose: string;
  readonly isChosen: boolean;
  /** Of the two Tab leads to one: arrows lead to the other. */
  readonly isFirst: boolean;
  readonly onChoose: () => void;
}) {
  const { Reader } = fieldTypeOf(field.type);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a whole box with marks in it is the choice
    <button
      type="button"
      role="radio"
      aria-checked={isChosen}
      tabIndex={isFirst ? 0 : -1}
      className={classes(styles['choice'], isChosen && styles['chosen'])}
      data-whose={whose}
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

/** Both texts can be taken, or one written of them; they stay in sight, so that one can change one’s mind. */
function TextRow({
  field,
  last,
  mine,
  theirs,
  text,
  onText,
}: {
  readonly field: Field;
  readonly last: LastChange | undefined;
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
      <div>
        <div className={styles['label']}>{field.label}</div>
        {last && <TheirName theirs={last} />}
      </div>
      <div className={styles['blocks']}>
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
        {text !== undefined && (
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
