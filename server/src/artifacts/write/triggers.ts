import { Refusal } from '../../kernel/errors.ts';
import {
  type Expression,
  expressionBuilder,
  type SqlBool,
  statement,
  type Tables,
  type Transaction,
} from '../../storage/index.ts';
import {
  type Field,
  type FieldValue,
  type Stored,
  type StoredLink,
  stateOf,
  type Tracker,
  type Trigger,
} from '../../trackers/index.ts';
import { childType } from '../links/index.ts';
import { type ArtifactRow, type Document, isSameValue, parseDocument } from '../model.ts';
import { lockArtifacts, lockEach } from '../store.ts';
import type { ReadContext } from '../visibility.ts';
import type { Change } from './change.ts';
import type { Changes } from './changes.ts';
import { nextMoment, saveChangeset } from './changeset.ts';
import type { TriggerEvent } from './trigger-events.ts';
import { engine, type GovernedChanges, govern } from './workflow.ts';

const on = expressionBuilder<Tables, 'artifact'>();

const hasValue = ({ fieldId, valueId }: FieldValue): Expression<SqlBool> =>
  on.exists(
    on
      .selectFrom('artifact_value')
      .select('artifact_value.artifact_id')
      .whereRef('artifact_value.artifact_id', '=', 'artifact.id')
      .where('artifact_value.field_id', '=', fieldId)
      .where('artifact_value.value', '=', valueId),
  );

const hasOneOf = ({ children }: Trigger) => on.or(children.map(hasValue));

/** The artifacts below a parent that count as its children: those of the child trackers. */
const childrenOf = ({ sql }: Transaction, parentId: number, { id: trackerId }: Tracker) =>
  sql
    .selectFrom('artifact')
    .innerJoin('artifact_link', 'artifact_link.target_id', 'artifact.id')
    .innerJoin('tracker', 'tracker.id', 'artifact.tracker_id')
    .select('artifact.id')
    .where('artifact_link.source_id', '=', parentId)
    .where('artifact_link.type', '=', childType)
    .where('tracker.parent_id', '=', trackerId)
    .where('tracker.deleted_at', 'is', null)
    .limit(1);

async function doAllHave(
  tx: Transaction,
  parentId: number,
  tracker: Tracker,
  rule: Trigger,
): Promise<boolean> {
  const children = childrenOf(tx, parentId, tracker);
  const other = await tx.first(children.where(on.not(hasOneOf(rule))));
  return other === undefined && (await tx.first(children)) !== undefined;
}

async function countWith(tx: Transaction, ids: readonly number[], rule: Trigger): Promise<number> {
  if (ids.length === 0) return 0;
  const found = tx.sql.selectFrom('artifact').select('id').where('id', 'in', ids);
  return (await tx.all(found.where(hasOneOf(rule)))).length;
}

const childIds = (links: readonly StoredLink[]) =>
  new Set(links.filter(([, type]) => type === childType).map(([id]) => id));

/** Whether children that came or went make a rule of the parent act. */
async function isSetOffByLinks(tx: Transaction, rule: Trigger, triggerEvent: TriggerEvent): Promise<boolean> {
  const before = childIds(triggerEvent.linksBefore);
  const after = childIds(triggerEvent.linksAfter);
  const come = [...after.difference(before)];
  const gone = [...before.difference(after)];
  const isMet = (await countWith(tx, come, rule)) > 0;
  if (!rule.needsAll) return isMet;
  const lost = isMet ? 0 : gone.length - (await countWith(tx, gone, rule));
  return (isMet || lost > 0) && doAllHave(tx, triggerEvent.id, triggerEvent.tracker, rule);
}

const parentsOf = statement((sql, p: { childId: number; trackerId: number }) =>
  sql
    .selectFrom('artifact_link')
    .innerJoin('artifact', 'artifact.id', 'artifact_link.source_id')
    .select('artifact.id')
    .where('artifact_link.target_id', '=', p.childId)
    .where('artifact_link.type', '=', childType)
    .where('artifact.tracker_id', '=', p.trackerId)
    .orderBy('artifact.id'),
);

const words = 'Changed by a trigger, because of a change of its children.';

/** Sets off triggers until nothing follows any more, and remembers what they changed. */
class TriggerRun {
  /** The artifacts that were changed, as they are now. */
  readonly rows = new Map<number, ArtifactRow>();
  readonly #change: Change;
  readonly #readContext: ReadContext;
  /** What was done already: a rule acts on an artifact once, so that a run always ends. */
  readonly #done = new Set<string>();

  constructor(change: Change, readContext: ReadContext) {
    this.#change = change;
    this.#readContext = readContext;
  }

  get #tx(): Transaction {
    return this.#change.context.tx;
  }

  async run(): Promise<void> {
    const { triggerEvents } = this.#change;
    for (let next = triggerEvents.shift(); next !== undefined; next = triggerEvents.shift()) {
      await this.#lookAtParents(next);
      await this.#lookAtChildren(next);
    }
  }

  /** The parents are locked before their children are looked at: of two that change at once, the later sees both. */
  async #lookAtParents({ id, tracker, gained }: TriggerEvent): Promise<void> {
    const { trackers, revisions } = this.#readContext;
    if (gained.length === 0 || tracker.parentId === null) return;
    const parent = await trackers.find(this.#tx, tracker.parentId, revisions);
    if (parent === undefined || parent.isDeleted) return;
    const found = await this.#tx.all(parentsOf, { childId: id, trackerId: parent.id });
    const ids = found.map((row) => row.id);
    const isGained = (child: FieldValue) => gained.includes(child);
    const rules = tracker.triggers.upwards.filter(({ children }) => children.some(isGained));
    for await (const row of lockEach(this.#tx, ids)) {
      const due: Trigger[] = [];
      for (const rule of rules)
        if (!rule.needsAll || (await doAllHave(this.#tx, row.id, parent, rule))) due.push(rule);
      await this.#apply(parent, row, due);
    }
  }

  async #lookAtChildren(triggerEvent: TriggerEvent): Promise<void> {
    const { id, tracker, linksBefore, linksAfter } = triggerEvent;
    if (linksBefore === linksAfter) return;
    const due: Trigger[] = [];
    for (const rule of tracker.triggers.own)
      if (await isSetOffByLinks(this.#tx, rule, triggerEvent)) due.push(rule);
    const [row] = due.length === 0 ? [] : await lockArtifacts(this.#tx, [id]);
    if (row !== undefined) await this.#apply(tracker, row, due);
  }

  #valuesSetBy(due: readonly Trigger[], tracker: Tracker, id: number, document: Document) {
    const { frozen } = stateOf(tracker, document);
    const values = new Map<Field, Stored>();
    for (const { id: ruleId, target } of due) {
      const field = tracker.elementById.get(target.fieldId);
      const key = `${ruleId} ${id}`;
      if (!field?.isUsed || frozen.has(field.id) || this.#done.has(key)) continue;
      this.#done.add(key);
      values.set(field, [target.valueId]);
    }
    return new Map([...values].filter(([field, value]) => !isSameValue(field, document[field.id], value)));
  }

  /** What the parent's own workflow or rules refuse is not done; the change of the child stands. */
  async #governed(
    tracker: Tracker,
    row: ArtifactRow,
    document: Document,
    values: Changes['values'],
    at: number,
  ): Promise<GovernedChanges | undefined> {
    const change = this.#change;
    const by = change.context.viewer.userId;
    const comment = { content: words, format: 'text', by, at, groups: null } as const;
    const changes = { values, links: undefined, comment };
    try {
      return await govern({ change, tracker, actor: engine, subject: { row, document }, changes, at });
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'invalid') return undefined;
      throw error;
    }
  }

  async #apply(tracker: Tracker, row: ArtifactRow, due: readonly Trigger[]): Promise<void> {
    const document = parseDocument(row.document);
    const values = this.#valuesSetBy(due, tracker, row.id, document);
    if (values.size === 0) return;
    const at = nextMoment(row.modified_on, this.#change.context.now);
    const changes = await this.#governed(tracker, row, document, values, at);
    if (changes === undefined) return;
    const stored = { row, document, links: [] };
    const saved = await saveChangeset(this.#change, tracker, stored, changes, at);
    this.rows.set(row.id, saved.row);
  }
}

/** Lets triggers act on what a change did, up the hierarchy. Gives the artifacts that they changed. */
export async function setOffTriggers(
  change: Change,
  readContext: ReadContext,
): Promise<ReadonlyMap<number, ArtifactRow>> {
  const run = new TriggerRun(change, readContext);
  if (change.triggerEvents.length > 0) await run.run();
  return run.rows;
}
