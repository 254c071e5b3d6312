import { ForbiddenError } from '@atelier/client';
import type { Tracker } from '@atelier/client/routes';
import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type FormPart, fieldsWithin, formParts } from '../artifact/index.ts';
import {
  type Field,
  type FieldValue,
  fieldTypeOf,
  holds,
  possibleChoices,
  shapeOf,
  valueWith,
  withText,
} from '../fields/index.ts';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify, Page, ProblemPage } from '../shell/index.ts';
import { useLive, useTracker } from '../store/index.ts';
import { Button, Note, RichText, Skeleton } from '../ui/index.ts';
import { useOriginal } from './calls.ts';
import styles from './creation.module.css';
import { focusFirstFault } from './first-fault.ts';
import { type CreationForm, fieldsToCreate, useCreationForm, type Values } from './form.ts';
import { FormField } from './form-field.tsx';
import { linkField, ParentField, valuesWithParent } from './parent.tsx';

/** `/trackers/{id}/new`: the whole form, filled in by the address where it says so. */
export function CreationPage() {
  const { id } = useParams({ from: '/trackers/$id/new' });
  const search: Readonly<Record<string, unknown>> = useSearch({ from: '/trackers/$id/new' });
  const { creation } = useMessages();
  const { thing: tracker, error, askAgain } = useTracker(`trackers/${id}`);
  // Whoever builds the form sees it grow here, and whoever fills it in sees what is gone.
  useLive(`trackers/${Number(id)}`, () => undefined);
  const copyId = Number(search['copy']);
  const original = useOriginal(Number.isInteger(copyId) && copyId > 0 ? copyId : undefined);
  const isWaiting = copyId > 0 && original === undefined;
  if (tracker === undefined && error) return <ProblemPage error={error} askAgain={askAgain} />;
  if (tracker?.may_submit === false) return <ProblemPage error={mayNot} />;
  if (tracker === undefined || isWaiting)
    return (
      <Page title={creation.newOne('')} crumbs={[{ name: creation.newOne('') }]}>
        <Skeleton lines={8} className={styles['form'] ?? ''} />
      </Page>
    );
  return <WholeForm tracker={tracker} search={search} copied={original?.values ?? []} />;
}

/** As the server would answer what is sent from here. */
const mayNot = new ForbiddenError({ status: 403, message: '', body: undefined });

/** What belongs to the one artifact, or was linked to it. */
const isCopied = (field: Field) => !holds(field, 'files') && !holds(field, 'links');

/** From an artifact that is copied, then from the address: `summary=…`, `f.status=101`, `parent=42`. */
function initialValues(
  tracker: Tracker,
  search: Readonly<Record<string, unknown>>,
  copied: readonly FieldValue[],
): Values {
  const values: Record<string, FieldValue> = {};
  const fields = fieldsToCreate(tracker);
  for (const value of copied) {
    const field = fields.find(({ field_id: id }) => id === value.field_id);
    if (field && isCopied(field) && !fieldTypeOf(field.type).isEmpty(value)) values[field.field_id] = value;
  }
  const parentId = Number(search['parent']);
  if (Number.isInteger(parentId) && parentId > 0) Object.assign(values, valuesWithParent(tracker, parentId));
  for (const field of fields) {
    const given = search[`f.${field.name}`] ?? search[field.name];
    if (given !== undefined) values[field.field_id] = valueGiven(field, String(given));
  }
  return values;
}

function valueGiven(field: Field, given: string): FieldValue {
  const { field_id, type, label } = field;
  const choices = possibleChoices(field);
  if (choices.length > 0) {
    const ids = given.split(',');
    const chosen = choices.filter(({ id, name }) => ids.includes(id) || ids.includes(name));
    return valueWith(field, chosen);
  }
  if (holds(field, 'text')) return withText(field, 'commonmark', given);
  return { field_id, type, label, value: given };
}

function WholeForm({
  tracker,
  search,
  copied,
}: {
  readonly tracker: Tracker;
  readonly search: Readonly<Record<string, unknown>>;
  readonly copied: readonly FieldValue[];
}) {
  const { creation, artifact: words } = useMessages();
  const formats = useFormats();
  const router = useRouter();
  const initial = useMemo(() => initialValues(tracker, search, copied), [tracker, search, copied]);
  const form = useCreationForm(
    tracker,
    initial,
    Object.keys(initial).length === 0 ? '' : JSON.stringify(search),
  );
  const send = async () => {
    const created = await form.send();
    if (created === null) return focusFirstFault();
    notify({ text: creation.created(`${tracker.item_name} #${created.id}`) });
    router.history.push(`/artifacts/${created.id}`);
  };
  const title = creation.newOne(tracker.item_name);
  return (
    <Page
      title={title}
      crumbs={[
        { name: tracker.project.label, to: `/projects/${tracker.project.id}` },
        { name: tracker.label, to: `/trackers/${tracker.id}`, color: tracker.color_name },
        { name: title },
      ]}
      hasOwnPrimary
      place={{ project: tracker.project.uri, tracker: tracker.uri }}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
        }}
      >
        {form.fault !== null && (
          <Note meaning="bad" isAlert>
            <span lang="en">{form.fault}</span>
          </Note>
        )}
        <Lost values={form.lost} />
        {formParts(tracker).map((part) => (
          <Part key={part.field.field_id} form={form} part={part} />
        ))}
        <div className={styles['formButtons']}>
          <Button onPress={() => router.history.back()}>{words.cancel}</Button>
          <Button
            type="submit"
            kind="primary"
            isBusy={form.isBusy}
            reasonNot={form.isUploading ? creation.filesOnTheWay : null}
          >
            {creation.create(tracker.item_name)}
          </Button>
          {form.isTouched && (
            <Button kind="quiet" onPress={form.discard}>
              {creation.discard}
            </Button>
          )}
          {form.keptAt !== undefined && (
            <span className={styles['kept']}>
              {creation.draftKept(formats.time(deviceMoment(form.keptAt)))}
            </span>
          )}
        </div>
      </form>
    </Page>
  );
}

/** Somebody took fields out of the form while they were filled in: what was written is there to be copied. */
function Lost({ values }: { readonly values: CreationForm['lost'] }) {
  const { creation } = useMessages();
  const formats = useFormats();
  if (values.length === 0) return null;
  return (
    <Note meaning="care" isAlert>
      {creation.fieldsGone}
      {values.map((value) => (
        <span key={value.field_id} className={styles['lost']}>
          <strong>{value.label}</strong> {fieldTypeOf(value.type).summary(value, formats)}
        </span>
      ))}
    </Note>
  );
}

const isFilled = (part: FormPart, form: CreationForm): boolean =>
  fieldsWithin(part).some((field) => fieldsToCreate(form.tracker).includes(field));

function Part({ form, part }: { readonly form: CreationForm; readonly part: FormPart }) {
  const { field, parts } = part;
  const inner = parts.map((each) => <Part key={each.field.field_id} form={form} part={each} />);
  const shape = shapeOf(field);
  if (shape === 'group')
    return isFilled(part, form) ? (
      <section className={styles['fieldset']} aria-label={field.label}>
        <h2>{field.label}</h2>
        <div className={styles['fieldsetBody']}>{inner}</div>
      </section>
    ) : null;
  if (shape === 'column')
    return isFilled(part, form) ? <div className={styles['column']}>{inner}</div> : null;
  if (shape === 'words') return <RichText html={staticHtml(field)} />;
  if (shape !== undefined || !fieldsToCreate(form.tracker).includes(field)) return null;
  return (
    <div
      className={fieldTypeOf(field.type).isWide || holds(field, 'line') ? styles['wide'] : styles['narrow']}
    >
      {!fieldTypeOf(field.type).isWide ? null : <div className={styles['label']}>{field.label}</div>}
      {field === linkField(form.tracker) && form.tracker.parent !== null && (
        <ParentField form={form} field={field} />
      )}
      <FormField form={form} field={field} />
    </div>
  );
}

function staticHtml({ specific_properties: properties }: Field): string {
  const html = 'static_value' in properties ? properties['static_value'] : '';
  return typeof html === 'string' ? html : '';
}
