import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { type FieldPlace, type FieldValue, fieldTypeOf, isContainer, shapeOf } from '../../fields/index.ts';
import { useMessages } from '../../messages/index.ts';
import { Problem } from '../../shell/index.ts';
import { Note, RichText, Skeleton } from '../../ui/index.ts';
import { type FieldSettings, type PermissionCheck, useGroupCheck, useGroups } from '../calls.ts';
import { fieldOfSettings } from '../form-elements.ts';
import styles from './form.module.css';
import type { BuiltForm, BuiltNode } from './model.ts';

interface PreviewProps {
  readonly tracker: Tracker;
  readonly form: BuiltForm;
  readonly groupId: string;
}

/** The form as members of a group meet it: what they fill in, and what they only read. */
export function Preview({ tracker, form, groupId }: PreviewProps) {
  const { form: words } = useMessages().trackerAdmin;
  const { data: groups = [] } = useGroups(tracker.project.id);
  const { data: check, error, refetch } = useGroupCheck(tracker.id, groupId);
  const name = groups.find(({ id }) => id === groupId)?.label ?? '';
  if (check === undefined && error !== null) return <Problem error={error} askAgain={() => void refetch()} />;
  if (check === undefined) return <Skeleton lines={8} className={styles['coming'] ?? ''} />;
  if (!check.may_view) return <Said>{words.mayNotView(name)}</Said>;
  const seen = new Map(check.fields.map((field) => [field.field_id, field]));
  const hidden = check.fields.filter(({ read, submit }) => !read && !submit).length;
  return (
    <div className={styles['previewForm']}>
      {check.may_submit ? <p className={styles['second']}>{words.previewWords(name)}</p> : null}
      {!check.may_submit && <Note meaning="care">{words.mayNotSubmit(name)}</Note>}
      <Filled tracker={tracker} nodes={form.tree} seen={seen} />
      {hidden > 0 && <p className={styles['second']}>{words.notShown(hidden)}</p>}
    </div>
  );
}

function Said({ children }: { readonly children: string }) {
  return (
    <div className={styles['previewForm']}>
      <Note meaning="care">{children}</Note>
    </div>
  );
}

type Seen = ReadonlyMap<number, PermissionCheck['fields'][number]>;

interface FilledProps {
  readonly tracker: Tracker;
  readonly nodes: readonly BuiltNode[];
  readonly seen: Seen;
}

function Filled({ tracker, nodes, seen }: FilledProps) {
  return nodes.map(({ element, children }) => {
    const { settings } = element;
    if (isContainer(element))
      return (
        <section key={element.id} aria-label={settings.label} className={styles['previewGroup']}>
          {shapeOf(element) !== 'column' && <h2>{settings.label}</h2>}
          <Filled tracker={tracker} nodes={children} seen={seen} />
        </section>
      );
    const { static_value: text } = settings.specific_properties;
    if (typeof text === 'string') return <RichText key={element.id} html={text} />;
    const right = seen.get(element.id);
    if (right === undefined || !(right.read || right.submit)) return null;
    return <FilledField key={element.id} tracker={tracker} settings={settings} isFilled={right.submit} />;
  });
}

function FilledField({
  tracker,
  settings,
  isFilled,
}: {
  readonly tracker: Tracker;
  readonly settings: FieldSettings;
  readonly isFilled: boolean;
}) {
  const { form: words } = useMessages().trackerAdmin;
  const field =
    tracker.fields.find(({ field_id: id }) => id === settings.field_id) ?? fieldOfSettings(settings);
  const { Control, Reader, defaultOf } = fieldTypeOf(settings.type);
  const [value, setValue] = useState<FieldValue | undefined>(() => defaultOf(field));
  const place: FieldPlace = {
    projectId: tracker.project.id,
    tracker,
    seenValue: (id) => (id === field.field_id ? value : undefined),
  };
  if (Control === undefined || !isFilled)
    return (
      <div className={styles['onlyRead']}>
        <span>
          {field.label} <span className={styles['second']}>{words.onlyRead}</span>
        </span>
        <Reader field={field} value={value} place={place} />
      </div>
    );
  return (
    <Control
      field={field}
      value={value}
      onChange={setValue}
      place={place}
      label={field.label}
      isRequired={field.required}
    />
  );
}
