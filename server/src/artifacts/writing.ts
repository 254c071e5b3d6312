import type { Viewer } from '../kernel/viewer.ts';
import type { ProjectExtension } from '../projects/index.ts';
import { readRevisions, type Transaction } from '../storage/index.ts';
import {
  preferredTextFormat,
  type TextFormat,
  type Tracker,
  type Trackers,
  type WritingContext,
} from '../trackers/index.ts';
import { checkFiles } from './files.ts';
import type { OtherEnd } from './links.ts';
import { parseDocument } from './model.ts';
import { nextMoment, saveChangeset } from './saving.ts';
import { TextReferences } from './text-references.ts';
import type { Sight } from './visibility.ts';

/** What the operations on artifacts are given once, beside what each call brings. */
export interface Surrounding {
  readonly trackers: Trackers;
  readonly extensions: readonly ProjectExtension[];
}

export async function sightIn(tx: Transaction, viewer: Viewer, trackers: Trackers): Promise<Sight> {
  return { reader: tx, viewer, trackers, revisions: await readRevisions(tx) };
}

/** One change on its way: what reading its entries takes, and what its texts refer to. */
export interface Change {
  readonly context: WritingContext;
  readonly references: TextReferences;
}

export function beginChange(
  tx: Transaction,
  viewer: Viewer,
  tracker: Tracker,
  artifactId: number,
  { extensions }: Surrounding,
  isXml = false,
): Change {
  const references = new TextReferences(tx, viewer, tracker, extensions);
  let format: Promise<TextFormat> | undefined;
  const context: WritingContext = {
    tx,
    viewer,
    tracker,
    textFormat: () => (format ??= preferredTextFormat(tx, viewer)),
    now: Date.now(),
    isXml,
    render: (content, format) => references.render(content, format),
    checkFiles: (field, ids) => checkFiles(tx, viewer, { artifactId, field }, ids),
  };
  return { context, references };
}

/** Gives other artifacts their changesets, now that the id of this one is known. */
export async function saveOtherEnds(
  { context, references }: Change,
  artifactId: number,
  others: readonly OtherEnd[],
): Promise<void> {
  const { tx, viewer, now } = context;
  for (const { row, tracker, before, after } of others) {
    const links = after.map(([id, type]) => [id === 0 ? artifactId : id, type] as const);
    await saveChangeset(
      tx,
      tracker,
      { row, document: parseDocument(row.document), links: before },
      { values: new Map(), links, comment: undefined },
      { by: viewer.userId, at: nextMoment(row.modified_on, now), references },
    );
  }
}
