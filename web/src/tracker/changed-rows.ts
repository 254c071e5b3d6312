import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { artifactFacet, type ChangeEvent, type ChangeLog, feed, knownThing } from '../store/index.ts';
import { rowFacet } from './calls.ts';
import { fieldNamed } from './view.ts';

/** A row as it is seen: what is not stored yet on top of what the server told. */
export function withPending(row: ArtifactRow, pending: ChangeLog): ArtifactRow {
  const cells = { ...row.cells };
  for (const { fields } of pending)
    for (const { name, cell } of fields) if (cell !== undefined) cells[name] = { value: undefined, ...cell };
  return pending.length === 0 ? row : { ...row, cells };
}

export const isPendingIn = (pending: ChangeLog, name: string): boolean =>
  pending.some(({ fields }) => fields.some((field) => field.name === name));

/** A row follows what was stored of it, so that it need not be read again. */
export function followStored(tracker: Tracker, event: ChangeEvent): void {
  if (event.kind !== 'stored') return;
  const { change, artifact } = event;
  const row = knownThing(change.uri, rowFacet)?.body;
  if (row === undefined || artifact.tracker.id !== tracker.id) return;
  const etag = knownThing(change.uri, artifactFacet)?.etag ?? row.etag;
  const known = change.fields.filter(({ name }) => fieldNamed(tracker, name) !== undefined);
  const cells = { ...row.cells };
  for (const { name, cell } of known) if (cell !== undefined) cells[name] = { value: undefined, ...cell };
  const { title, full_status, is_open } = artifact;
  feed(change.uri, rowFacet, {
    body: { ...row, cells, etag, title: title ?? null, full_status: full_status ?? null, is_open },
    etag,
  });
}
