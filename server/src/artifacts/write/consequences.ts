import {
  type FoundComment,
  type IndexRows,
  indexComments,
  indexFiles,
  indexNew,
  insertIndexRows,
  noteChanged,
  noteLinkedTrackers,
  noteNewLinks,
  reindex,
  reindexComment,
} from '../../search/index.ts';
import { type RowOf, type SqlBuilder, sql, statement, type Transaction } from '../../storage/index.ts';
import type { Field, Stored, StoredLink, Tracker } from '../../trackers/index.ts';
import { foundComment, type StoredComment } from '../comments.ts';
import { type ArtifactRow, type Document, linkField, type WrittenChanges } from '../model.ts';
import { artifactColumns, raiseRelatedVersions } from '../store.ts';
import { keepTotals } from '../totals/index.ts';
import type { ReadContext } from '../visibility.ts';
import { raisedCounter } from './counters.ts';
import { announce, type EventScope, leavingFacts, placeOf } from './outbox.ts';
import { recordPerson } from './people.ts';

/**
 * Everything that follows from writing an artifact, in one place: creating, changing, commenting, moving, deleting, restoring and importing
 * all go through here, and none can go past it. A row of an artifact is written by the functions below, which give nothing that can be used
 * before `record` was called with it.
 *
 * A new consequence is one entry of `consequences`. It says what it does for one artifact that is written (`one`) and for many that
 * come in with their history (`many`).
 *
 * What is not here, since it is part of the write itself: changesets, counters of trackers (they give the number of a row), files. What the
 * workflow wants (triggers, calls to build servers) follows from governed changes only: `changeset.ts`.
 */

/** An artifact at one time: what others find, see and sum up of it. */
export interface ArtifactState {
  readonly tracker: Tracker;
  readonly document: Document;
  /** The forward links. */
  readonly links: readonly StoredLink[];
  /** Whether it is for certain groups only. */
  readonly isRestricted: boolean;
}

/** One write of one artifact. Before: undefined where it was not there; after: where it is gone. */
export interface ArtifactWrite {
  readonly id: number;
  readonly submittedBy: number;
  readonly before: ArtifactState | undefined;
  readonly after: ArtifactState | undefined;
  /** The values that differ, by their fields; undefined: there is none any more. */
  readonly values: ReadonlyMap<Field, Stored | undefined>;
  /** The groups that alone may see it; undefined where that stays as it is. */
  readonly groups: readonly number[] | undefined;
  /** Fields whose files differ. */
  readonly fileFields: readonly number[];
  /** What was written about it: a changeset that is new, or one whose comment was edited. Undefined for one that goes or comes back. */
  readonly changeset:
    | { readonly id: number; readonly comment: StoredComment | undefined; readonly isEdited?: boolean }
    | undefined;
  /** Others that show something of it which differs, beside the ends of links that came or went. */
  readonly neighbours: readonly number[];
  /** Whether others than before may see it now. */
  readonly changesVisibility: boolean;
  /** Those whom its tracker may not know yet as somebody who submitted or changed something in it. */
  readonly people: { readonly submitters: readonly number[]; readonly editors: readonly number[] };
  /** Brings the references of its texts up to date. */
  readonly writeReferences: (tx: Transaction) => Promise<void>;
  /** Whether nobody is told: it goes with its whole project, which nobody sees any more. */
  readonly isUntold?: boolean;
}

/** The transaction of a write, and whoever writes. */
export interface WriteScope extends EventScope {
  readonly readContext: ReadContext;
}

/** Artifacts that come in with their history, or a part of it: rows that are ready to be stored. */
export interface ImportedBatch {
  readonly trackerId: number;
  readonly artifacts: readonly {
    readonly id: number;
    readonly submittedBy: number;
    readonly groups: readonly number[];
    readonly rows: IndexRows;
  }[];
  readonly editors: ReadonlySet<number>;
  readonly comments: readonly FoundComment[];
  readonly references: readonly (readonly [
    sourceKind: string,
    sourceId: number,
    origin: string,
    targetKind: string,
    targetId: number,
    targetKeyword: string,
  ])[];
}

interface Consequence {
  one(scope: WriteScope, write: ArtifactWrite): Promise<void>;
  /** Imported artifacts are seen by nobody before the whole import is. Absent: nothing follows, for the reason that is given. */
  readonly many: ((tx: Transaction, batch: ImportedBatch) => Promise<void>) | string;
}

/** It has no rows in the index yet: it is new, or new in its tracker. */
const isFresh = ({ before, after }: ArtifactWrite) =>
  after !== undefined && before?.tracker.id !== after.tracker.id;

const typesIn = (state: ArtifactState | undefined) => new Map(state?.links ?? []);

/** What it links to no more, newly, or by another type. */
function linkChanges({ before, after }: ArtifactWrite) {
  if (before?.links === after?.links) return { gone: [], fresh: [], retyped: [] };
  const [known, kept] = [typesIn(before), typesIn(after)];
  const changed = [...kept].filter(([other, type]) => known.get(other) !== type);
  return {
    gone: [...known.keys()].filter((other) => !kept.has(other)),
    fresh: changed.filter(([other]) => !known.has(other)),
    retyped: changed.filter(([other]) => known.has(other)),
  };
}

const linkColumns = ['source_id', 'target_id', 'type'] as const;
const referenceColumns = [
  'source_kind',
  'source_id',
  'origin',
  'target_kind',
  'target_id',
  'target_keyword',
] as const;

/** Told first: whether somebody could see the artifact where it was is asked of what is still there. */
const events: Consequence = {
  async one(scope, write) {
    const { id: artifactId, before, after, changeset } = write;
    const state = after ?? before;
    if (state === undefined || write.isUntold) return;
    const facts = { artifactId, ...placeOf(state.tracker), by: scope.readContext.viewer.userId };
    const leaving = () =>
      leavingFacts(scope.tx, { id: artifactId, submittedBy: write.submittedBy, ...(before ?? state) });
    if (after === undefined)
      return announce(scope, 'artifact.deleted', [state.tracker], async () => ({
        ...facts,
        ...(await leaving()),
      }));
    if (changeset === undefined) return announce(scope, 'artifact.restored', [after.tracker], () => facts);
    const changesetId = changeset.id;
    if (changeset.isEdited)
      return announce(scope, 'comment.edited', [after.tracker], () => ({ ...facts, changesetId }));
    const isMoved = before !== undefined && isFresh(write);
    const kind = before === undefined ? 'artifact.created' : 'artifact.updated';
    const written = () => ({ ...facts, changesetId, fieldIds: isMoved ? [] : fieldIdsOf(write) });
    await announce(scope, kind, [after.tracker], written);
    if (!isMoved) return;
    const from = async () => ({ ...placeOf(before.tracker), ...(await leaving()) });
    const places = [before.tracker, after.tracker];
    await announce(scope, 'artifact.moved', places, async () => ({ ...written(), from: await from() }));
  },
  many: 'An import is told as a whole, when all of it is there.',
};

function fieldIdsOf({ values, before, after }: ArtifactWrite): number[] {
  const linked = before?.links === after?.links ? undefined : after && linkField(after.tracker);
  return [...values.keys(), ...(linked === undefined ? [] : [linked])].map(({ id }) => id);
}

/** What its values are found by. */
const indexedValues: Consequence = {
  async one({ tx }, write) {
    const { id, before, values } = write;
    const isNew = isFresh(write);
    const come = new Map<Field, Stored>();
    const texts: number[] = [];
    for (const [field, after] of values)
      if (isNew && after !== undefined) come.set(field, after);
      else texts.push(...(await reindex(tx, id, field, { before: before?.document[field.id], after })));
    if (isNew) await indexNew(tx, id, come);
    if (!isNew || texts.length > 0) await noteChanged(tx, [id], texts);
  },
  many: (tx, { artifacts }) => insertIndexRows(tx, artifacts),
};

const raiseRestricted = statement((sql, p: { trackerId: number; difference: number }) =>
  sql
    .updateTable('tracker_counter')
    .set((row) => ({ restricted: row('restricted', '+', p.difference) }))
    .where('tracker_id', '=', p.trackerId),
);

const grantColumns = ['artifact_id', 'group_id'] as const;

/** Who alone may see it. Its tracker counts such artifacts. */
const grants: Consequence = {
  async one({ tx }, write) {
    const { id, before, after, groups } = write;
    if (groups === undefined || after === undefined) return;
    if (before !== undefined)
      await tx.write(tx.sql.deleteFrom('artifact_grant').where('artifact_id', '=', id));
    if (groups.length > 0)
      await tx.insertMany(
        'artifact_grant',
        grantColumns,
        groups.map((group) => [id, group]),
      );
    const difference = Number(after.isRestricted) - Number(before?.isRestricted ?? false);
    // A row that comes to a tracker is counted with its number.
    if (difference !== 0 && !isFresh(write))
      await tx.write(raiseRestricted, { trackerId: after.tracker.id, difference });
  },
  many: (tx, { artifacts }) =>
    tx.insertMany(
      'artifact_grant',
      grantColumns,
      artifacts.flatMap(({ id, groups }) => groups.map((group) => [id, group] as const)),
    ),
};

/** Its forward links, and which trackers links lead between. Those of a deleted one go with its row. */
const links: Consequence = {
  async one({ tx }, write) {
    const { id, after, neighbours } = write;
    if (after === undefined) return;
    const { gone, fresh, retyped } = linkChanges(write);
    if (gone.length > 0) {
      const own = tx.sql.deleteFrom('artifact_link').where('source_id', '=', id);
      await tx.write(own.where('target_id', 'in', gone));
    }
    for (const [target_id, type] of retyped) {
      const link = tx.sql.updateTable('artifact_link').set({ type }).where('source_id', '=', id);
      await tx.write(link.where('target_id', '=', target_id));
    }
    await tx.insertMany(
      'artifact_link',
      linkColumns,
      fresh.map(([other, type]) => [id, other, type]),
    );
    if (isFresh(write) && neighbours.length > 0) await noteLinkedTrackers(tx, [id]);
    else if (fresh.length > 0)
      await noteNewLinks(
        tx,
        id,
        fresh.map(([other]) => other),
      );
  },
  many: 'They are stored when all their ends are there: `recordImportedLinks`.',
};

/** What its comment and its files are found by. */
const indexedTexts: Consequence = {
  async one({ tx }, { id: artifactId, changeset, fileFields }) {
    if (changeset !== undefined) {
      const place = { artifactId, changesetId: changeset.id };
      const found = changeset.comment && foundComment(place, changeset.comment);
      if (changeset.isEdited) await reindexComment(tx, place, found);
      else if (found !== undefined) await indexComments(tx, [found]);
    }
    for (const fieldId of fileFields) await indexFiles(tx, { artifactId, fieldId });
  },
  many: (tx, { comments }) => indexComments(tx, comments),
};

/** What its texts refer to. */
const references: Consequence = {
  one: ({ tx }, { writeReferences }) => writeReferences(tx),
  // Answers about what they name are old with the whole structure, once the import is there.
  many: (tx, { references: rows }) => tx.insertMany('cross_reference', referenceColumns, rows),
};

/** Answers about others that show it are old, and so is what these are found by. */
const neighbours: Consequence = {
  async one({ tx }, write) {
    const { gone, fresh, retyped } = linkChanges(write);
    const ends = [...fresh, ...retyped].map(([other]) => other);
    const others = new Set([...gone, ...ends, ...write.neighbours]);
    await raiseRelatedVersions(tx, [...others]);
    await noteChanged(tx, others);
  },
  many: 'Nobody sees them yet; ends of links are noted when these are stored.',
};

/** Whoever submitted or changed something can be searched for in the tracker. */
const people: Consequence = {
  async one({ tx }, { after, people: { submitters, editors } }) {
    if (after === undefined) return;
    for (const id of submitters) await recordPerson(tx, after.tracker.id, 'submitter', id);
    for (const id of editors) await recordPerson(tx, after.tracker.id, 'editor', id);
  },
  async many(tx, { trackerId, artifacts, editors }) {
    for (const id of new Set(artifacts.map(({ submittedBy }) => submittedBy)))
      await recordPerson(tx, trackerId, 'submitter', id);
    for (const id of editors) await recordPerson(tx, trackerId, 'editor', id);
  },
};

/** Sums that take it in, now that its row and its links are written, or while links of one that goes still lead to them. */
const totals: Consequence = {
  one: ({ tx, readContext }, { id, before, after, changesVisibility }) =>
    keepTotals(tx, readContext, { id, before, after, changesVisibility }),
  many: 'The sums of a project are worked out anew when an import is over.',
};

/** In the order in which they are done. */
const consequences: readonly Consequence[] = [
  events,
  indexedValues,
  grants,
  links,
  indexedTexts,
  references,
  neighbours,
  people,
  totals,
];

async function follow(scope: WriteScope, write: ArtifactWrite): Promise<void> {
  for (const { one } of consequences) await one(scope, write);
}

const unrecorded: unique symbol = Symbol('unrecorded');

/** A row that was written, and from which nothing followed yet. Only `record` gives what is in it. */
export interface UnrecordedRow {
  readonly id: number;
  readonly [unrecorded]: ArtifactRow;
}

const asUnrecorded = (row: ArtifactRow): UnrecordedRow => ({ id: row.id, [unrecorded]: row });

type ArtifactColumns = Omit<ArtifactRow, 'id' | 'rank'>;

const newArtifact = (builder: Pick<SqlBuilder, 'insertInto'>, p: ArtifactColumns) =>
  builder
    .insertInto('artifact')
    .values({
      tracker_id: p.tracker_id,
      number: p.number,
      submitted_by: p.submitted_by,
      submitted_on: p.submitted_on,
      version: p.version,
      modified_by: p.modified_by,
      modified_on: p.modified_on,
      related_version: p.related_version,
      is_restricted: p.is_restricted,
      document: p.document,
    })
    .returning('id');

const insertArtifact = statement(newArtifact);

/** An artifact that is new. */
export async function insertRow(tx: Transaction, row: ArtifactColumns): Promise<UnrecordedRow> {
  const [made] = await tx.all(insertArtifact, row);
  if (made === undefined) throw new Error('The new artifact has no id.');
  return asUnrecorded({ id: made.id, rank: null, ...row });
}

/** The first changeset of an artifact that is being made. */
export interface FirstChangeset extends WrittenChanges {
  readonly by: number;
  readonly at: number;
}

const insertBoth = statement((builder, p: ArtifactColumns & FirstChangeset) =>
  builder
    .with('made', (inner) => newArtifact(inner, p))
    .insertInto('changeset')
    .columns(['artifact_id', 'submitted_by', 'submitted_on', 'changes', 'field_ids'])
    .expression((select) =>
      select
        .selectFrom('made')
        .select([
          'made.id',
          sql<number>`${p.by}::bigint`.as('by'),
          sql<number>`${p.at}::bigint`.as('at'),
          sql<string>`${p.changes}::text`.as('changes'),
          sql<string | null>`${p.fieldIds}::text`.as('field_ids'),
        ]),
    )
    .returning(['id', 'artifact_id']),
);

/** As `insertRow`, with the first changeset, by one statement: for where each is waited for. */
export async function insertRowAndChangeset(
  tx: Transaction,
  row: ArtifactColumns,
  changeset: FirstChangeset,
): Promise<{ readonly made: UnrecordedRow; readonly changesetId: number }> {
  const [stored] = await tx.all(insertBoth, { ...row, ...changeset });
  if (stored === undefined) throw new Error('The new artifact has no id.');
  return {
    made: asUnrecorded({ id: stored.artifact_id, rank: null, ...row }),
    changesetId: stored.id,
  };
}

const countAndNumber = statement((builder, p: { trackerId: number; restricted: number; id: number }) =>
  builder
    .with('counted', (inner) => raisedCounter(inner, p))
    .updateTable('artifact')
    .from('counted')
    .set((row) => ({ number: row.ref('counted.last_number') }))
    .where('artifact.id', '=', p.id),
);

/** As `countIn`, for an artifact that was written without its number: the database gives it one, and nobody waits for it. Nothing follows: nobody has seen it yet. */
export async function countAsLast(
  tx: Transaction,
  trackerId: number,
  restricted: 0 | 1,
  id: number,
): Promise<void> {
  await tx.write(countAndNumber, { trackerId, restricted, id });
}

/** What a changeset makes of a row. */
interface RowChange {
  readonly document: string;
  readonly is_restricted: 0 | 1;
  readonly modified_by: number;
  readonly modified_on: number;
}

const updateArtifact = statement((sql, p: RowChange & { id: number }) =>
  sql
    .updateTable('artifact')
    .set((row) => ({
      document: p.document,
      version: row('version', '+', 1),
      modified_by: p.modified_by,
      modified_on: p.modified_on,
      is_restricted: p.is_restricted,
    }))
    .where('id', '=', p.id),
);

/** One more changeset of an artifact. */
export async function updateRow(
  tx: Transaction,
  row: ArtifactRow,
  change: RowChange,
): Promise<UnrecordedRow> {
  await tx.write(updateArtifact, { id: row.id, ...change });
  return asUnrecorded({ ...row, ...change, version: row.version + 1 });
}

const moveArtifact = statement((sql, p: RowChange & Pick<ArtifactRow, 'id' | 'tracker_id' | 'number'>) =>
  sql
    .updateTable('artifact')
    .set((row) => ({
      tracker_id: p.tracker_id,
      number: p.number,
      document: p.document,
      is_restricted: p.is_restricted,
      version: row('version', '+', 1),
      related_version: row('related_version', '+', 1),
      modified_by: p.modified_by,
      modified_on: p.modified_on,
    }))
    .where('id', '=', p.id),
);

/** An artifact in another tracker. */
export async function moveRow(
  tx: Transaction,
  row: ArtifactRow,
  change: RowChange & Pick<ArtifactRow, 'tracker_id' | 'number'>,
): Promise<UnrecordedRow> {
  await tx.write(moveArtifact, { id: row.id, ...change });
  const counters = { version: row.version + 1, related_version: row.related_version + 1 };
  return asUnrecorded({ ...row, ...change, ...counters });
}

/** An artifact that was deleted and comes back. */
export async function restoreRow(tx: Transaction, row: ArtifactRow): Promise<UnrecordedRow> {
  await tx.write(tx.sql.insertInto('artifact').values(row));
  return asUnrecorded(row);
}

/** Lets everything follow from a row that was written. Gives the row. */
export async function record(
  scope: WriteScope,
  { [unrecorded]: row }: UnrecordedRow,
  write: Omit<ArtifactWrite, 'id' | 'submittedBy'>,
): Promise<ArtifactRow> {
  await follow(scope, { id: row.id, submittedBy: row.submitted_by, ...write });
  return row;
}

/** Takes an artifact out, after everything that follows from it: sums and searches are told while its links are still there. */
export async function recordDeletion(scope: WriteScope, write: Omit<ArtifactWrite, 'after'>): Promise<void> {
  await follow(scope, { ...write, after: undefined });
  await scope.tx.write(scope.tx.sql.deleteFrom('artifact').where('id', '=', write.id));
}

/** An edited comment leaves the row of its artifact alone: nothing of it changed. */
export async function recordEditedComment(
  scope: WriteScope,
  { row, state }: { readonly row: ArtifactRow; readonly state: ArtifactState },
  changeset: { readonly id: number; readonly comment: StoredComment },
  writeReferences: ArtifactWrite['writeReferences'],
): Promise<void> {
  await follow(scope, {
    ...{ id: row.id, submittedBy: row.submitted_by, before: state, after: state, writeReferences },
    ...{ values: new Map(), groups: undefined, fileFields: [], neighbours: [], changesVisibility: false },
    people: { submitters: [], editors: [] },
    changeset: { ...changeset, isEdited: true },
  });
}

/** Rows of many artifacts, from which nothing followed yet: an import is not over before `recordImported` took them. */
export interface UnrecordedRows {
  readonly [unrecorded]: readonly RowOf<'artifact', typeof artifactColumns>[];
}

/** Artifacts that nobody sees yet. */
export async function insertRows(
  tx: Transaction,
  rows: UnrecordedRows[typeof unrecorded],
): Promise<UnrecordedRows> {
  await tx.insertMany('artifact', artifactColumns, rows);
  return { [unrecorded]: rows };
}

/** Lets everything follow from artifacts that came in with their history. */
export async function recordImported(
  tx: Transaction,
  _rows: UnrecordedRows,
  batch: ImportedBatch,
): Promise<void> {
  for (const { many } of consequences) if (typeof many !== 'string') await many(tx, batch);
}

export type LinkToStore = readonly [sourceId: number, targetId: number, type: string];

/** Stores present links between imported artifacts that are all there. */
export async function recordImportedLinks(tx: Transaction, stored: readonly LinkToStore[]): Promise<void> {
  await tx.insertMany('artifact_link', linkColumns, stored);
  const ends = new Set<number>();
  for (const [source, target] of stored) ends.add(source).add(target);
  await noteLinkedTrackers(tx, [...new Set(stored.map(([source]) => source))]);
  await noteChanged(tx, ends);
}
