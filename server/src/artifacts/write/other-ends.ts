import type { OtherEnd } from '../links/index.ts';
import { parseDocument } from '../model.ts';
import { findArtifact } from '../store.ts';
import type { Change } from './change.ts';
import { nextMoment, saveChangeset } from './changeset.ts';
import { requireBoundedOthers } from './text-bounds.ts';
import { ungoverned } from './workflow.ts';

/** Gives other artifacts their changesets, now that the id of this one is known. */
export async function saveOtherEnds(
  change: Change,
  artifactId: number,
  others: readonly OtherEnd[],
): Promise<void> {
  let length = 0;
  for (const { id: otherId, tracker, before, after } of others) {
    // One after the other: each may have much text.
    const row = await findArtifact(change.context.tx, otherId);
    if (row === undefined) throw new Error('An artifact that is locked cannot be gone.');
    length += row.document.length;
    requireBoundedOthers(length);
    const links = after.map(([id, type]) => [id === 0 ? artifactId : id, type] as const);
    await saveChangeset(
      change,
      tracker,
      { row, document: parseDocument(row.document), links: before },
      ungoverned({ values: new Map(), links, comment: undefined }),
      nextMoment(row.modified_on, change.context.now),
    );
  }
}
