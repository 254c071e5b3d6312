import { ApiError } from '@atelier/client';
import type { Tracker } from '@atelier/client/routes';
import { useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  brokenDateRules,
  type Field,
  type FieldPlace,
  type FieldValue,
  fieldTypeOf,
  may,
} from '../fields/index.ts';
import { newUuid } from '../kernel/uuid.ts';
import { useMessages } from '../messages/index.ts';
import { createArtifact, type FieldEntry, useDraft } from '../store/index.ts';
import { faultsOf } from './faults.ts';

/** What was typed, by the ids of fields. */
export type Values = Readonly<Record<string, FieldValue>>;

export interface CreationForm {
  readonly tracker: Tracker;
  readonly place: FieldPlace;
  readonly isBusy: boolean;
  /** Whether files are still on their way: what is created without them would lack them. */
  readonly isUploading: boolean;
  noteBusy(isBusy: boolean): void;
  /** Words that belong to no field. */
  readonly fault: string | null;
  readonly isTouched: boolean;
  /** Whether something was given or typed there, which is sent. */
  isFilled(field: Field): boolean;
  /** What was written in fields that are not in the form any more. */
  readonly lost: readonly FieldValue[];
  readonly keptAt: number | undefined;
  /** Whether all of it was typed on an earlier visit. */
  readonly isRestored: boolean;
  faultOf(field: Field): string | null;
  set(value: FieldValue): void;
  /** Gives what was created, or null where something is missing or refused. */
  send(more?: readonly FieldEntry[]): Promise<{ readonly id: number; readonly uri: string } | null>;
  discard(): void;
  /** Empties what is told of the one artifact, and keeps what was chosen. */
  startAnother(): void;
}

/** Fields that one may fill in. */
export const fieldsToCreate = (tracker: Tracker): Field[] =>
  tracker.fields.filter((field) => may(field, 'create') && fieldTypeOf(field.type).Control !== undefined);

/** `origin` is what filled the form, in an address for example: what was typed into it then is no draft of another form. */
export function useCreationForm(tracker: Tracker, initial: Values, origin = ''): CreationForm {
  const words = useMessages();
  const draft = useDraft<Values>(tracker.uri, `new ${origin}`.trim());
  const [typed, setTyped] = useState<Values | null>(null);
  /** Nothing more comes from where the form was filled once it was sent. */
  const [isAnother, setAnother] = useState(false);
  const [faults, setFaults] = useState<ReadonlyMap<number | null, string>>(new Map());
  /** Drawn at once: the first of them gets the focus, which a busy page would else look for before it is there. */
  const tell = (found: ReadonlyMap<number | null, string>) => flushSync(() => setFaults(found));
  const [isBusy, setBusy] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const key = useRef(newUuid());
  const entered = typed ?? draft.content;
  const values = useMemo(
    () => ({ ...(isAnother ? {} : initial), ...entered }),
    [initial, isAnother, entered],
  );
  const latest = useRef(values);
  latest.current = values;
  /** What somebody entered, without what the form was filled with. */
  const latestEntered = useRef(entered);
  latestEntered.current = entered;

  const fields = useMemo(() => new Map(tracker.fields.map((field) => [field.field_id, field])), [tracker]);
  const seenValue = useCallback(
    (id: number): FieldValue | undefined => {
      const field = fields.get(id);
      return values[id] ?? (field && fieldTypeOf(field.type).defaultOf(field));
    },
    [fields, values],
  );
  const place: FieldPlace = { projectId: tracker.project.id, tracker, seenValue };

  const keep = (next: Values) => {
    latest.current = { ...(isAnother ? {} : initial), ...next };
    latestEntered.current = next;
    setTyped(next);
    draft.keep(next);
    // Another content is another request.
    key.current = newUuid();
  };
  const set = (value: FieldValue) => {
    keep({ ...latestEntered.current, [value.field_id]: value });
    setFaults((before) => new Map([...before].filter(([id]) => id !== value.field_id && id !== null)));
  };

  const missing = (): Map<number | null, string> => {
    const found = new Map<number | null, string>();
    for (const field of fieldsToCreate(tracker))
      if (field.required && fieldTypeOf(field.type).isEmpty(seenValue(field.field_id)))
        found.set(field.field_id, words.fields.required(field.label));
    return new Map([...found, ...dateFaults()]);
  };

  /** Days that do not go together are told while they are chosen, at both of them. */
  const dateFaults = (): Map<number, string> => {
    const found = new Map<number, string>();
    for (const { sourceId, targetId, comparator } of brokenDateRules(tracker, seenValue)) {
      const [left, right] = [fields.get(sourceId)?.label ?? '', fields.get(targetId)?.label ?? ''];
      for (const id of [sourceId, targetId]) found.set(id, words.artifact.dateRule(left, comparator, right));
    }
    return found;
  };
  const liveFaults = dateFaults();

  const send = async (more: readonly FieldEntry[] = []) => {
    if (isBusy || isUploading) return null;
    const found = missing();
    tell(found);
    if (found.size > 0) return null;
    setBusy(true);
    try {
      const entries = Object.values(latest.current).flatMap((value) => {
        const field = fields.get(value.field_id);
        return field === undefined ? [] : [fieldTypeOf(field.type).entryOf(field, value)];
      });
      const created = await createArtifact({
        trackerId: tracker.id,
        values: [...entries, ...more],
        key: key.current,
      });
      draft.discard();
      key.current = newUuid();
      return created;
    } catch (error) {
      tell(
        error instanceof ApiError ? faultsOf(error, tracker) : new Map([[null, words.creation.needsNetwork]]),
      );
      return null;
    } finally {
      setBusy(false);
    }
  };

  return {
    tracker,
    place,
    isBusy,
    isUploading,
    noteBusy: setUploading,
    fault: faults.get(null) ?? null,
    isTouched: Object.keys(entered ?? {}).length > 0,
    isFilled: ({ field_id: id, type }) => {
      const value = values[id];
      return value !== undefined && !fieldTypeOf(type).isEmpty(value);
    },
    lost: Object.values(entered ?? {}).filter(
      (value) => !fields.has(value.field_id) && !fieldTypeOf(value.type).isEmpty(value),
    ),
    keptAt: draft.keptAt,
    isRestored: typed === null && draft.content !== undefined,
    faultOf: (field) => faults.get(field.field_id) ?? liveFaults.get(field.field_id) ?? null,
    set,
    send,
    discard: () => {
      draft.discard();
      setTyped({});
      setFaults(new Map());
    },
    startAnother: () => {
      const { current } = latest;
      setAnother(true);
      keep(keptFor(current));
    },
  };
}

/** Choices are likely the same for the next one, texts are not. */
function keptFor(values: Values): Values {
  const kept = Object.entries(values).filter(([, { type }]) => fieldTypeOf(type).chooses !== undefined);
  return Object.fromEntries(kept);
}
