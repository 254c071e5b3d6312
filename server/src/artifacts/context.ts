import type { ArtifactEventKind } from '../kernel/events.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { ProjectExtension } from '../projects/index.ts';
import type { Transaction } from '../storage/index.ts';
import type { Tracker, Trackers } from '../trackers/index.ts';
import type { ReadContext } from './visibility.ts';

/** Whether anybody is told of events. The room that tells them is above this one: `operations.ts` hands it in. */
export interface EventListeners {
  /** Asked in every change, and so answered from memory almost always. */
  wants(
    readContext: Pick<ReadContext, 'reader' | 'revisions'>,
    kind: ArtifactEventKind,
    tracker: Tracker,
  ): boolean | Promise<boolean>;
}

/** What a thread that writes artifacts has, from one write to the next. */
export interface ArtifactDeps {
  readonly trackers: Trackers;
  readonly extensions: readonly ProjectExtension[];
  readonly listeners: EventListeners;
}

/** What every write of artifacts is handed: its transaction, and who writes. */
export interface WriteContext extends ArtifactDeps {
  readonly tx: Transaction;
  readonly viewer: Viewer;
}

/** Writes of a room by name: each takes the context and what is asked for. */
type ContextWrites = Readonly<Record<string, (writeContext: WriteContext, input: never) => Promise<unknown>>>;

type OperationsOf<Table extends ContextWrites> = {
  readonly [Name in keyof Table]: Table[Name] extends (
    writeContext: WriteContext,
    input: infer Input,
  ) => Promise<infer Output>
    ? (tx: Transaction, viewer: Viewer, input: Input) => Promise<Output>
    : never;
};

/** A plain list of writes as operations: each gets its context as it begins. */
export function operationsIn<Table extends ContextWrites>(
  deps: ArtifactDeps,
  table: Table,
): OperationsOf<Table> {
  const entries = Object.entries(table).map(([name, write]) => [
    name,
    (tx: Transaction, viewer: Viewer, input: never) => write({ ...deps, tx, viewer }, input),
  ]);
  return Object.fromEntries(entries) as OperationsOf<Table>;
}
