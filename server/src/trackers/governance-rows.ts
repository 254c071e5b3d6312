import type { SqlBuilder, Tables } from '../storage/index.ts';

type Numbered<Row> = Omit<Row, 'id'> & { readonly id: number };

/** The rows that say how artifacts of a tracker may change. */
export interface GovernanceRows {
  /** One at the most. */
  readonly workflow: readonly Tables['workflow'][];
  readonly transitions: readonly Numbered<Tables['workflow_transition']>[];
  readonly actions: readonly Numbered<Tables['post_action']>[];
  readonly dateRules: readonly Numbered<Tables['date_rule']>[];
  readonly listRules: readonly Numbered<Tables['list_rule']>[];
  /** Those of the tracker and of its parent. */
  readonly triggers: readonly Numbered<Tables['trigger_rule']>[];
}

interface OfTracker {
  readonly id: number;
}

/** How the rows of a tracker are found. */
export const governanceRows = {
  workflow: (sql: SqlBuilder, p: OfTracker) =>
    sql.selectFrom('workflow').selectAll().where('tracker_id', '=', p.id),

  transitions: (sql: SqlBuilder, p: OfTracker) =>
    sql.selectFrom('workflow_transition').selectAll().where('tracker_id', '=', p.id).orderBy('id'),

  actions: (sql: SqlBuilder, p: OfTracker) =>
    sql
      .selectFrom('post_action')
      .innerJoin('workflow_transition', 'workflow_transition.id', 'post_action.transition_id')
      .selectAll('post_action')
      .where('workflow_transition.tracker_id', '=', p.id)
      .orderBy('post_action.id'),

  dateRules: (sql: SqlBuilder, p: OfTracker) =>
    sql.selectFrom('date_rule').selectAll().where('tracker_id', '=', p.id).orderBy('id'),

  listRules: (sql: SqlBuilder, p: OfTracker) =>
    sql.selectFrom('list_rule').selectAll().where('tracker_id', '=', p.id).orderBy('id'),

  triggers: (sql: SqlBuilder, p: OfTracker) => {
    const parent = sql.selectFrom('tracker').select('parent_id').where('id', '=', p.id);
    return sql
      .selectFrom('trigger_rule')
      .selectAll()
      .where((row) => row('tracker_id', '=', p.id).or('tracker_id', '=', parent))
      .orderBy('id');
  },
};
