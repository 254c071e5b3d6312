import type { Artifact, Tracker } from '@atelier/client/routes';
import { useMemo } from 'react';
import {
  dueFieldId,
  type Field,
  type FieldPlace,
  type FieldType,
  type FieldValue,
  fieldTypeOf,
  may,
  pictureField,
  type TextFile,
  withTextFiles,
} from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce } from '../shell/index.ts';
import { changeArtifact, type FieldChange, useArtifact, useLive, useTracker } from '../store/index.ts';

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
  return { seen, pending, error: error ?? tracker.error, isAsking: isAsking || tracker.isAsking, askAgain };
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

/** Stores a value at once, and tells it to those who listen. */
export function useStore(uri: string): (field: Field, value: FieldValue) => void {
  const formats = useFormats();
  const { artifact, ui } = useMessages();
  return (field, value) => {
    const type = fieldTypeOf(field.type);
    changeArtifact(uri, { fields: [fieldChange(field, value)] });
    announce(artifact.nowIs(field.label, type.summary(value, formats) || ui.none));
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
