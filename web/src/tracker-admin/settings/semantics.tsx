import type { Tracker } from '@atelier/client/routes';
import { type ReactNode, useState } from 'react';
import { followed } from '../../kernel/followed.ts';
import { useMessages } from '../../messages/index.ts';
import { Problem } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { MultiSelect, Select, Skeleton } from '../../ui/index.ts';
import { type FieldSettings, useFormElements } from '../calls.ts';
import { fieldsFor, formElementType } from '../form-elements.ts';
import { type AllSemantics, changeSemantics, type SemanticsWish, useSemantics } from './calls.ts';
import styles from './settings.module.css';
import { Sheet } from './sheet.tsx';

interface PartProps {
  readonly fields: readonly FieldSettings[];
  readonly semantics: AllSemantics;
  /** `change` may be told what is stored now, where others may have changed a part of it. */
  onChange(change: SemanticsWish | ((now: AllSemantics) => SemanticsWish)): void;
}

type Names = keyof AllSemantics;

const optionsOf = (fields: readonly FieldSettings[], codes: readonly string[], bind?: string) =>
  fields
    .filter(({ type, bind: own }) => codes.includes(type) && (bind === undefined || own?.type === bind))
    .map(({ field_id: id, label }) => ({ id: String(id), name: label }));

const idOf = (semantic: { readonly field_id: number } | undefined): string | null =>
  semantic === undefined ? null : String(semantic.field_id);

/** `semantics`: what fields mean. Each says what it switches on. */
export function SemanticsPage({ tracker }: { readonly tracker: Tracker }) {
  const { semantics: words } = useMessages().trackerAdmin;
  const { data: elements, error, refetch } = useFormElements(tracker.id);
  const { data: semantics } = useSemantics(tracker.id);
  const [fault, setFault] = useState<{ readonly name: Names; readonly words: string }>();
  if (elements === undefined && error !== null)
    return <Problem error={error} askAgain={() => void refetch()} />;
  if (elements === undefined || semantics === undefined)
    return <Skeleton lines={8} className={styles['sheet'] ?? ''} />;
  const fields = elements.filter(({ is_used: isUsed, is_removed: isRemoved }) => isUsed && !isRemoved);
  const changeOf = (name: Names) => (wish: Parameters<PartProps['onChange']>[0]) =>
    void changeSemantics(tracker.id, typeof wish === 'function' ? wish : () => wish).then(
      () => setFault(undefined),
      (refused: unknown) => setFault({ name, words: wordsOfError(refused) }),
    );
  const part = (name: Names, Part: (props: PartProps) => ReactNode) => (
    <Semantic key={name} name={name} fault={fault?.name === name ? fault.words : undefined}>
      <Part fields={fields} semantics={semantics} onChange={changeOf(name)} />
    </Semantic>
  );
  return (
    <Sheet words={words.words}>
      {part('title', Title)}
      {part('description', Description)}
      {part('status', Status)}
      {part('done', Done)}
      {part('contributor', Contributor)}
      {part('timeframe', Timeframe)}
      {part('progress', Progress)}
      {part('initial_effort', Effort)}
      {part('tooltip', TooltipFields)}
    </Sheet>
  );
}

function Semantic({
  name,
  fault,
  children,
}: {
  readonly name: Names;
  readonly fault: string | undefined;
  readonly children: ReactNode;
}) {
  const { semantics: words } = useMessages().trackerAdmin;
  return (
    <section className={styles['semantic']} aria-label={words.names[name]}>
      <div>
        <h2>{words.names[name]}</h2>
        <p className={styles['second']}>{words.what[name]}</p>
      </div>
      <div className={styles['choices']}>
        {children}
        {fault !== undefined && (
          <p role="alert" lang="en" className={styles['fault']}>
            {fault}
          </p>
        )}
      </div>
    </section>
  );
}

function useNone() {
  return useMessages().trackerAdmin.none;
}

function OneField({
  name,
  label,
  codes,
  bind,
  fields,
  value,
  onChange,
}: Pick<PartProps, 'fields'> & {
  readonly name: Names;
  readonly label?: string;
  readonly codes: readonly string[];
  readonly bind?: string;
  readonly value: string | null;
  onChange(id: number | null): void;
}) {
  const { semantics: words } = useMessages().trackerAdmin;
  const none = useNone();
  return (
    <Select
      {...(label === undefined ? { 'aria-label': words.names[name] } : { label })}
      value={value}
      none={none}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      options={optionsOf(fields, codes, bind)}
    />
  );
}

const oneOf = (id: number | null) => (id === null ? null : { field_id: id });

function Title({ fields, semantics, onChange }: PartProps) {
  return (
    <OneField
      name="title"
      codes={fieldsFor.title}
      fields={fields}
      value={idOf(semantics.title)}
      onChange={(id) => onChange({ title: oneOf(id) })}
    />
  );
}

function Description({ fields, semantics, onChange }: PartProps) {
  return (
    <OneField
      name="description"
      codes={fieldsFor.description}
      fields={fields}
      value={idOf(semantics.description)}
      onChange={(id) => onChange({ description: oneOf(id) })}
    />
  );
}

function Contributor({ fields, semantics, onChange }: PartProps) {
  return (
    <OneField
      name="contributor"
      codes={fieldsFor.contributor}
      bind="users"
      fields={fields}
      value={idOf(semantics.contributor)}
      onChange={(id) => onChange({ contributor: oneOf(id) })}
    />
  );
}

function Effort({ fields, semantics, onChange }: PartProps) {
  return (
    <OneField
      name="initial_effort"
      codes={fieldsFor.amount}
      fields={fields}
      value={idOf(semantics.initial_effort)}
      onChange={(id) => onChange({ initial_effort: oneOf(id) })}
    />
  );
}

const valuesOf = (fields: readonly FieldSettings[], id: number | undefined) =>
  fields.find(({ field_id: one }) => one === id)?.bind?.values ?? [];

const numbers = (ids: readonly string[]) => ids.map(Number);

function Status({ fields, semantics: { status }, onChange }: PartProps) {
  const { semantics: words } = useMessages().trackerAdmin;
  return (
    <>
      <OneField
        name="status"
        codes={fieldsFor.status}
        bind="static"
        fields={fields}
        value={idOf(status)}
        onChange={(id) =>
          onChange({
            status:
              id === null
                ? null
                : {
                    field_id: id,
                    value_ids: valuesOf(fields, id)
                      .slice(0, -1)
                      .map((value) => value.id),
                  },
          })
        }
      />
      {status !== undefined && (
        <MultiSelect
          label={words.openValues}
          value={status.value_ids.map(String)}
          onChange={(ids) =>
            onChange(({ status: now = status }) => ({
              status: {
                field_id: status.field_id,
                value_ids: followed(now.value_ids, status.value_ids, numbers(ids)),
              },
            }))
          }
          options={[
            { id: '100', name: words.emptyStatus },
            ...valuesOf(fields, status.field_id).map(({ id, label }) => ({ id: String(id), name: label })),
          ]}
        />
      )}
    </>
  );
}

function Done({ fields, semantics: { status, done }, onChange }: PartProps) {
  const { semantics: words } = useMessages().trackerAdmin;
  const open = new Set(status?.value_ids ?? []);
  if (status === undefined) return <p className={styles['second']}>{words.needsStatus}</p>;
  return (
    <MultiSelect
      aria-label={words.names.done}
      value={(done?.value_ids ?? []).map(String)}
      onChange={(ids) =>
        onChange(({ done: now }) => {
          const value_ids = followed(now?.value_ids ?? [], done?.value_ids ?? [], numbers(ids));
          return { done: value_ids.length === 0 ? null : { value_ids } };
        })
      }
      options={valuesOf(fields, status.field_id)
        .filter(({ id, is_hidden: isHidden }) => !open.has(id) && !isHidden)
        .map(({ id, label }) => ({ id: String(id), name: label }))}
    />
  );
}

function Timeframe({ fields, semantics: { timeframe }, onChange }: PartProps) {
  const { semantics: words } = useMessages().trackerAdmin;
  const stored = {
    start: timeframe?.start_date_field_id,
    end: timeframe?.end_date_field_id,
    duration: timeframe?.duration_field_id,
  };
  /** What is chosen so far, until it is whole. */
  const [chosen, setChosen] = useState<typeof stored>();
  const { start, end, duration } = chosen ?? stored;
  /** It is stored as soon as it is whole. */
  const store = (wish: typeof stored) => {
    const isWhole = wish.start !== undefined && (wish.end ?? wish.duration) !== undefined;
    setChosen(isWhole || (wish.start === undefined && timeframe !== undefined) ? undefined : wish);
    if (wish.start === undefined) {
      if (timeframe !== undefined) onChange({ timeframe: null });
      return;
    }
    if (wish.end !== undefined)
      onChange({ timeframe: { start_date_field_id: wish.start, end_date_field_id: wish.end } });
    else if (wish.duration !== undefined)
      onChange({ timeframe: { start_date_field_id: wish.start, duration_field_id: wish.duration } });
  };
  const text = (id: number | undefined) => (id === undefined ? null : String(id));
  return (
    <>
      <OneField
        name="timeframe"
        label={words.start}
        codes={fieldsFor.date}
        fields={fields}
        value={text(start)}
        onChange={(id) => store({ start: id ?? undefined, end, duration })}
      />
      <OneField
        name="timeframe"
        label={words.end}
        codes={fieldsFor.date}
        fields={fields}
        value={text(end)}
        onChange={(id) =>
          store({ start, end: id ?? undefined, duration: id === null ? duration : undefined })
        }
      />
      <OneField
        name="timeframe"
        label={words.duration}
        codes={fieldsFor.amount}
        fields={fields}
        value={text(duration)}
        onChange={(id) => store({ start, end: id === null ? end : undefined, duration: id ?? undefined })}
      />
    </>
  );
}

const CHILDREN = 'children';
const EFFORTS = 'efforts';

function Progress({ fields, semantics: { progress }, onChange }: PartProps) {
  const { semantics: words } = useMessages().trackerAdmin;
  const none = useNone();
  const [total, setTotal] = useState(progress?.total_effort_field_id);
  const [remaining, setRemaining] = useState(progress?.remaining_effort_field_id);
  const [kind, setKind] = useState(
    progress === undefined ? null : progress.artifact_link_type === undefined ? EFFORTS : CHILDREN,
  );
  const choose = (id: string | null) => {
    setKind(id);
    if (id === CHILDREN) onChange({ progress: { artifact_link_type: '_is_child' } });
    if (id === null && progress !== undefined) onChange({ progress: null });
  };
  const store = (one: number | undefined, other: number | undefined) => {
    if (one !== undefined && other !== undefined)
      onChange({ progress: { total_effort_field_id: one, remaining_effort_field_id: other } });
  };
  const text = (id: number | undefined) => (id === undefined ? null : String(id));
  return (
    <>
      <Select
        aria-label={words.names.progress}
        value={kind}
        none={none}
        onChange={choose}
        options={[
          { id: EFFORTS, name: words.byEfforts },
          { id: CHILDREN, name: words.byChildren },
        ]}
      />
      {kind === EFFORTS && (
        <>
          <OneField
            name="progress"
            label={words.total}
            codes={fieldsFor.amount}
            fields={fields}
            value={text(total)}
            onChange={(id) => {
              setTotal(id ?? undefined);
              store(id ?? undefined, remaining);
            }}
          />
          <OneField
            name="progress"
            label={words.remaining}
            codes={fieldsFor.amount}
            fields={fields}
            value={text(remaining)}
            onChange={(id) => {
              setRemaining(id ?? undefined);
              store(total, id ?? undefined);
            }}
          />
        </>
      )}
    </>
  );
}

function TooltipFields({ fields, semantics: { tooltip }, onChange }: PartProps) {
  const { semantics: words } = useMessages().trackerAdmin;
  return (
    <MultiSelect
      aria-label={words.names.tooltip}
      value={(tooltip?.field_ids ?? []).map(String)}
      onChange={(ids) =>
        onChange(({ tooltip: now }) => {
          const field_ids = followed(now?.field_ids ?? [], tooltip?.field_ids ?? [], numbers(ids));
          return { tooltip: field_ids.length === 0 ? null : { field_ids } };
        })
      }
      options={fields
        .filter(({ type }) => formElementType(type).kind === 'field')
        .map(({ field_id: id, label }) => ({ id: String(id), name: label }))}
    />
  );
}
