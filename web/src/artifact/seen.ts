import { ApiError } from '@atelier/client';
import type { Artifact, Tracker } from '@atelier/client/routes';
import { useMemo, useState } from 'react';
import {
  describedAnew,
  dueFieldId,
  type Field,
  type FieldPlace,
  type FieldType,
  type FieldValue,
  fieldTypeOf,
  filesIn,
  may,
  pictureField,
  type TextFile,
  withTextFiles,
} from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import {
  artifactFacet,
  changeArtifact,
  type DraftBegin,
  type FieldChange,
  knownThing,
  takeBack,
  useArtifact,
  useLive,
  useTracker,
  versionMadeBy,
} from '../store/index.ts';

/** An artifact on a page: with its tracker, and what is not stored yet on top of it. */
export interface SeenArtifact {
  readonly artifact: Artifact;
  readonly tracker: Tracker;
  readonly place: FieldPlace;
  readonly etag: string | undefined;
  isPending(fieldId: number): boolean;
}

const idsIn = (value: unknown): ReadonlySet<number> =>
  new Set(Array.isArray(value) ? value.filter((id) => typeof id === 'number') : []);

/** What the API tells beside the compatible members. */
export function moreOf(artifact: Artifact) {
  const more: Readonly<Record<string, unknown>> = artifact;
  return {
    frozenFieldIds: idsIn(more['frozen_field_ids']),
    hiddenFieldsetIds: idsIn(more['hidden_fieldset_ids']),
    mayDelete: more['may_delete'] !== false,
  };
}

export function valueIn(artifact: Artifact, fieldId: number): FieldValue | undefined {
  return artifact.values?.find(({ field_id: id }) => id === fieldId);
}

export function useSeenArtifact(id: number) {
  const uri = `artifacts/${id}`;
  const { thing: artifact, pending, error, isAsking, askAgain, etag } = useArtifact(uri);
  const tracker = useTracker(artifact?.tracker.uri);
  // What others do to it is read by the store as soon as somebody listens.
  useLive(artifact === undefined ? undefined : `trackers/${artifact.tracker.id}`, () => undefined);
  const seen = useMemo((): SeenArtifact | undefined => {
    if (artifact === undefined || tracker.thing === undefined) return undefined;
    const place: FieldPlace = {
      projectId: artifact.project.id,
      tracker: tracker.thing,
      artifact,
      seenValue: (fieldId) => valueIn(artifact, fieldId),
    };
    const pendingIds = new Set(pending.flatMap(({ fields }) => fields.map(({ fieldId }) => fieldId)));
    return { artifact, tracker: tracker.thing, place, etag, isPending: (fieldId) => pendingIds.has(fieldId) };
  }, [artifact, tracker.thing, pending, etag]);
  const isGone = error instanceof ApiError && [403, 404, 410].includes(error.status);
  return {
    seen,
    pending,
    error: error ?? tracker.error,
    isGone,
    isAsking: isAsking || tracker.isAsking,
    askAgain,
  };
}

export function fieldChange(field: Field, value: FieldValue): FieldChange {
  const type = fieldTypeOf(field.type);
  return {
    fieldId: field.field_id,
    name: field.name,
    label: field.label,
    entry: type.entryOf(field, value),
    value,
    cell: type.cellOf(field, value),
  };
}

/** What attaches the files that a text shows; nothing where it shows none. */
export function fileChanges(seen: SeenArtifact, files: readonly TextFile[], text: string): FieldChange[] {
  const field = pictureField(seen.place);
  if (field === undefined) return [];
  const value = withTextFiles(field, valueIn(seen.artifact, field.field_id), files, text);
  return value === null ? [] : [fieldChange(field, value)];
}

/** More of a text than this says no more. */
const mostSaid = 60;

const cut = (text: string): string =>
  text.length > mostSaid ? `${text.slice(0, mostSaid).trimEnd()}…` : text;

/** What stood in a field before, as the server told it. */
function valueBefore(uri: string, field: Field): FieldValue | undefined {
  const artifact = knownThing(uri, artifactFacet)?.body;
  return artifact === undefined ? undefined : valueIn(artifact, field.field_id);
}

/** A file that is taken away is gone for good once that is stored: so long it can be taken back. */
const patienceWithFiles = 10_000;

function takesFilesAway(before: FieldValue | undefined, value: FieldValue): boolean {
  const left = new Set(filesIn(value).map(({ id }) => id));
  return filesIn(before).some(({ id }) => !left.has(id));
}

/** What somebody saw when they began to write: what others do meanwhile does not make theirs a change of that. */
export interface Begun {
  readonly etag: string | undefined;
  readonly before: FieldValue | undefined;
}

export const begunWith = ({ artifact, etag }: SeenArtifact, field: Field): Begun => ({
  etag,
  before: valueIn(artifact, field.field_id),
});

export function useBegun(seen: SeenArtifact, field: Field): Begun {
  const [begun] = useState(() => begunWith(seen, field));
  return begun;
}

/** The same for a form of many fields: the whole artifact as it was seen. */
export function useBegunForm({ artifact, etag }: SeenArtifact): DraftBegin & { readonly before: FormBefore } {
  const [begun] = useState(() => ({ etag, before: artifact.values ?? [] }));
  return begun;
}

export type FormBefore = readonly FieldValue[];

/** A change of a field of a form: of what was seen there when the form was opened. */
export const formChange = (field: Field, value: FieldValue, before: FormBefore): FieldChange => ({
  ...fieldChange(field, value),
  before: before.find(({ field_id: id }) => id === field.field_id),
});

/** Stores a value at once, as a change of what is seen or was seen at the begin, and tells it with a way back. */
export function useStore(seen: SeenArtifact): (field: Field, value: FieldValue, begun?: Begun) => void {
  const formats = useFormats();
  const { artifact: words, ui } = useMessages();
  const { uri } = seen.artifact;
  return (field, value, begun = begunWith(seen, field)) => {
    const type = fieldTypeOf(field.type);
    const before = valueBefore(uri, field);
    const isForGood = takesFilesAway(begun.before, value);
    const change = changeArtifact(uri, {
      fields: [{ ...fieldChange(field, value), before: begun.before }],
      etag: begun.etag,
      postponedFor: isForGood ? patienceWithFiles : undefined,
    });
    const putBack = (old: FieldValue) =>
      changeArtifact(uri, {
        fields: [{ ...fieldChange(field, old), before: value }],
        etag: versionMadeBy(change),
      });
    const keepFile = () => {
      if (!takeBack(change)) notify({ kind: 'bad', text: words.fileIsDeleted });
    };
    const [described] = describedAnew(filesIn(begun.before), filesIn(value));
    notify({
      text:
        described === undefined
          ? words.nowIs(field.label, cut(type.summary(value, formats)) || ui.none)
          : words.isDescribed(described.file.name),
      change,
      undo: isForGood ? keepFile : before && (() => putBack(before)),
    });
  };
}

/** Why a field cannot be changed here; null where it can. */
export function useReasonNot(): (seen: SeenArtifact, field: Field) => string | null {
  const { artifact: words } = useMessages();
  return ({ artifact }, field) => {
    const type: FieldType = fieldTypeOf(field.type);
    if (type.Control === undefined || !may(field, 'update')) return words.notAllowed;
    return moreOf(artifact).frozenFieldIds.has(field.field_id) ? words.frozen : null;
  };
}

/** Late days are those of what is still open. */
export const isDueField = ({ tracker, artifact }: SeenArtifact, field: Field): boolean =>
  artifact.is_open && dueFieldId(tracker) === field.field_id;
