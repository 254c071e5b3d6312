/** The value of a field as it is sent: `{field_id, value}`, `{field_id, bind_value_ids}` and so on. */
export type FieldEntry = Readonly<Record<string, unknown>>;

/** The wish to change one field. */
export interface FieldChange {
  readonly fieldId: number;
  /** The short name of the field: the name of its cell in rows. */
  readonly name: string;
  readonly label: string;
  /** What is sent. */
  readonly entry: FieldEntry;
  /** What stood there when somebody chose: a value of an artifact, or a cell of a row. */
  readonly before?: unknown;
  /** How the artifact has the value until the server answers. */
  readonly value?: Readonly<Record<string, unknown>> | undefined;
  /** How a row has it. */
  readonly cell?: Readonly<Record<string, unknown>> | undefined;
}

export interface ChangeComment {
  readonly body: string;
  readonly format: string;
}

/** A field that both sides changed, with what stands there now. */
export interface FieldConflict {
  readonly fieldId: number;
  readonly label: string;
  readonly before: unknown;
  readonly mine: FieldEntry;
  readonly theirs: unknown;
}

export type ChangeState =
  /** Is sent as soon as it is its turn. */
  | 'waiting'
  | 'sending'
  /** Somebody must choose. */
  | 'conflict';

/** A change that is not stored yet. */
export interface PendingChange {
  readonly id: string;
  /** Names the request, so that an answer that got lost never writes twice; another content has another one. */
  readonly key: string;
  readonly uri: string;
  readonly fields: readonly FieldChange[];
  readonly comment?: ChangeComment | undefined;
  /** The version it was made on; undefined where an earlier change of the log makes that version, or none is asked for. */
  readonly etag?: string | undefined;
  readonly state: ChangeState;
  /** How often it was sent in vain since the last answer. */
  readonly attempts: number;
  /** How often it was merged with what somebody else wrote meanwhile. */
  readonly merges: number;
  readonly madeAt: number;
  readonly conflicts?: readonly FieldConflict[] | undefined;
}

export type ChangeLog = readonly PendingChange[];

export const mostMerges = 3;

/** Seconds to wait after each time that nothing came of sending; then every minute. */
const waits = [2, 5, 15, 30];

export const secondsToWait = (attempts: number): number => waits[attempts - 1] ?? 60;

export const changesOf = (log: ChangeLog, uri: string): ChangeLog =>
  log.filter((change) => change.uri === uri);

function replaced(log: ChangeLog, id: string, put: (change: PendingChange) => PendingChange): ChangeLog {
  return log.map((change) => (change.id === id ? put(change) : change));
}

export const without = (log: ChangeLog, id: string): ChangeLog => log.filter((change) => change.id !== id);

/** The next changes that may be sent: the first of each artifact, unless it is under way or waits for a choice, so many in all. */
export function nextToSend(log: ChangeLog, most: number): ChangeLog {
  const seen = new Set<string>();
  const first = log.filter(({ uri }) => !seen.has(uri) && seen.add(uri));
  const underWay = first.filter(({ state }) => state === 'sending').length;
  return first.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, most - underWay));
}

export const sending = (log: ChangeLog, id: string): ChangeLog =>
  replaced(log, id, (change) => ({ ...change, state: 'sending' }));

/** Sent in vain: no network, or the server asked to come again. */
export const waitingAgain = (log: ChangeLog, id: string): ChangeLog =>
  replaced(log, id, (change) => ({ ...change, state: 'waiting', attempts: change.attempts + 1 }));

/** Stored: those that were made on top of it now stand on the version that it made. */
export function stored(log: ChangeLog, id: string, etag: string | undefined): ChangeLog {
  const done = log.find((change) => change.id === id);
  const rest = without(log, id);
  const follower = rest.find(({ uri }) => uri === done?.uri);
  if (follower === undefined || etag === undefined) return rest;
  return replaced(rest, follower.id, (change) => ({
    ...change,
    etag: change.fields.length > 0 ? etag : undefined,
  }));
}

/** What is read anew when somebody else was quicker. */
export interface CurrentVersion {
  readonly etag: string | undefined;
  valueOf(fieldId: number): unknown;
}

export function withShownText(change: FieldChange, entry: FieldEntry, now: unknown): FieldChange {
  return { ...change, entry, before: now, value: undefined, cell: undefined };
}

/** Somebody chose: fields without an entry keep what the other side wrote. */
export function resolved(
  change: PendingChange,
  choices: ReadonlyMap<number, FieldEntry | undefined>,
  newKey: string,
): PendingChange | undefined {
  const theirs = new Map((change.conflicts ?? []).map((conflict) => [conflict.fieldId, conflict.theirs]));
  const fields = change.fields.flatMap((field): FieldChange[] => {
    if (!choices.has(field.fieldId)) return [field];
    const entry = choices.get(field.fieldId);
    if (entry === undefined) return [];
    const isSame = entry === field.entry;
    return [
      { ...(isSame ? field : withShownText(field, entry, undefined)), before: theirs.get(field.fieldId) },
    ];
  });
  if (fields.length === 0 && change.comment === undefined) return undefined;
  return {
    ...change,
    key: newKey,
    fields,
    etag: fields.length > 0 ? change.etag : undefined,
    merges: 0,
    attempts: 0,
    state: 'waiting',
    conflicts: undefined,
  };
}

export const put = (log: ChangeLog, change: PendingChange | undefined, id: string): ChangeLog =>
  change === undefined ? without(log, id) : replaced(log, id, () => change);

interface WithValues {
  readonly values: readonly { readonly field_id: number }[] | null;
}

/** An artifact as it will be when everything is stored. */
export function withChanges<Seen extends WithValues>(artifact: Seen, changes: ChangeLog): Seen {
  const shown = new Map(
    changes.flatMap(({ fields }) =>
      fields.flatMap(({ fieldId, value }) => (value === undefined ? [] : [[fieldId, value] as const])),
    ),
  );
  if (shown.size === 0 || artifact.values === null) return artifact;
  const known = new Set(artifact.values.map(({ field_id: id }) => id));
  const values = artifact.values.map((value) => ({ ...value, ...shown.get(value.field_id) }));
  const added = [...shown]
    .filter(([id]) => !known.has(id))
    .map(([id, value]) => ({ ...value, field_id: id }));
  return { ...artifact, values: [...values, ...added] };
}
