import { type Transaction, toFlag } from '../../storage/index.ts';
import type { Trigger } from '../governance.ts';
import type { Tracker } from '../model.ts';
import { insertCopies, type NewReport } from '../reports/index.ts';
import type { CopiedIds } from '../workflow/index.ts';
import { copyStructure, groupsByName } from './copy.ts';
import { insertEmpty } from './create.ts';

export interface NewStructure {
  readonly projectId: number;
  /** A tracker of no project, whose ids mean something in itself only; its groups are those of the project by name. */
  readonly draft: Tracker;
  /** The tracker whose timeframe it takes over. */
  readonly lenderId: number | undefined;
  /** Groups beside those of the project, by name. */
  readonly groups: Readonly<Record<string, number>>;
  /** Reports that name things of the draft. */
  readonly reports: readonly NewReport[];
}

/** Makes a tracker from a draft; gives its id and what the ids of the draft became. */
export async function insertStructure(
  tx: Transaction,
  { projectId, draft, lenderId, groups, reports }: NewStructure,
): Promise<{ readonly id: number; readonly ids: CopiedIds }> {
  const { name: label, ...settings } = draft;
  const id = await insertEmpty(tx, { ...settings, label, parentId: null, projectId });
  const ids = await copyStructure(tx, draft, id, (to) => {
    const own = groupsByName(draft, to);
    return {
      group: (group) => own(group) ?? groups[draft.projectGroups.get(group) ?? ''],
      tracker: () => lenderId,
      keepsPeople: true,
    };
  });
  await insertCopies(tx, id, reports, { from: draft, ids });
  await tx.touch('structure');
  return { id, ids };
}

/** Puts a tracker below another. Whoever calls this knows that both are of one project and no circle arises. */
export async function setParent(tx: Transaction, id: number, parentId: number): Promise<void> {
  await tx.run(tx.sql.updateTable('tracker').set({ parent_id: parentId }).where('id', '=', id));
  await tx.touch('structure');
}

/** Adds triggers that set values of a tracker. */
export async function insertTriggers(
  tx: Transaction,
  trackerId: number,
  triggers: readonly Omit<Trigger, 'id'>[],
): Promise<void> {
  const rows = triggers.map(
    ({ needsAll, target, children }) =>
      [
        trackerId,
        toFlag(needsAll),
        target.fieldId,
        target.valueId,
        JSON.stringify(children.map(({ fieldId, valueId }) => [fieldId, valueId])),
      ] as const,
  );
  await tx.insertMany('trigger_rule', triggerColumns, rows);
  await tx.touch('structure');
}

const triggerColumns = ['tracker_id', 'needs_all', 'field_id', 'value_id', 'children'] as const;
