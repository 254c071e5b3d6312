import { type Reader, statement, type Tables } from '../storage/index.ts';

type Numbered<Row> = Omit<Row, 'id'> & { readonly id: number };

/** The rows that say how artifacts of a tracker may change. */
export interface GovernanceRows {
  readonly workflow: Tables['workflow'] | undefined;
  readonly transitions: readonly Numbered<Tables['workflow_transition']>[];
  readonly actions: readonly Numbered<Tables['post_action']>[];
  readonly dateRules: readonly Numbered<Tables['date_rule']>[];
  readonly listRules: readonly Numbered<Tables['list_rule']>[];
  /** Those of the tracker and of its parent. */
  readonly triggers: readonly Numbered<Tables['trigger_rule']>[];
}

const workflowRow = statement((sql, p: { id: number }) =>
  sql.selectFrom('workflow').selectAll().where('tracker_id', '=', p.id),
);

const transitionRows = statement((sql, p: { id: number }) =>
  sql.selectFrom('workflow_transition').selectAll().where('tracker_id', '=', p.id).orderBy('id'),
);

const actionRows = statement((sql, p: { id: number }) =>
  sql
    .selectFrom('post_action')
    .innerJoin('workflow_transition', 'workflow_transition.id', 'post_action.transition_id')
    .selectAll('post_action')
    .where('workflow_transition.tracker_id', '=', p.id)
    .orderBy('post_action.id'),
);

const dateRuleRows = statement((sql, p: { id: number }) =>
  sql.selectFrom('date_rule').selectAll().where('tracker_id', '=', p.id).orderBy('id'),
);

const listRuleRows = statement((sql, p: { id: number }) =>
  sql.selectFrom('list_rule').selectAll().where('tracker_id', '=', p.id).orderBy('id'),
);

const triggerRows = statement((sql, p: { id: number; parentId: number }) =>
  sql.selectFrom('trigger_rule').selectAll().where('tracker_id', 'in', [p.id, p.parentId]).orderBy('id'),
);

export async function findGovernanceRows(
  reader: Reader,
  { id, parentId }: { id: number; parentId: number | null },
): Promise<GovernanceRows> {
  const workflow = await reader.first(workflowRow, { id });
  return {
    workflow,
    transitions: workflow === undefined ? [] : await reader.all(transitionRows, { id }),
    actions: workflow === undefined ? [] : await reader.all(actionRows, { id }),
    dateRules: await reader.all(dateRuleRows, { id }),
    listRules: await reader.all(listRuleRows, { id }),
    triggers: await reader.all(triggerRows, { id, parentId: parentId ?? id }),
  };
}
