import type { Migration } from './migration.ts';

/** Workflows of trackers, their rules, triggers, and the calls to other servers that they make. */
export const workflow: Migration = {
  id: 4,
  name: 'workflow',
  statements: ({ columns: { identity, integer, text }, tableOptions, keyedTableOptions }) => {
    const table = (name: string, ...columns: string[]) =>
      `create table ${name} (${columns.join(', ')})${tableOptions}`;
    const tracker = `${integer} not null references tracker (id) on delete cascade`;
    return [
      `create table workflow (${[
        `tracker_id ${integer} primary key references tracker (id) on delete cascade`,
        `field_id ${integer} not null`,
        `is_used ${integer} not null`,
        `is_legacy ${integer} not null`,
        `is_advanced ${integer} not null`,
      ].join(', ')})${keyedTableOptions}`,
      table(
        'workflow_transition',
        `id ${identity}`,
        `tracker_id ${tracker}`,
        `from_id ${integer} not null`,
        `to_id ${integer} not null`,
        `group_ids ${text} not null`,
        `not_empty_ids ${text} not null`,
        `is_comment_required ${integer} not null`,
        'unique (tracker_id, from_id, to_id)',
      ),
      table(
        'post_action',
        `id ${identity}`,
        `transition_id ${integer} not null references workflow_transition (id) on delete cascade`,
        `settings ${text} not null`,
      ),
      'create index post_action_by_transition on post_action (transition_id)',
      table(
        'date_rule',
        `id ${identity}`,
        `tracker_id ${tracker}`,
        `source_field_id ${integer} not null`,
        `target_field_id ${integer} not null`,
        `comparator ${text} not null`,
      ),
      'create index date_rule_by_tracker on date_rule (tracker_id)',
      table(
        'list_rule',
        `id ${identity}`,
        `tracker_id ${tracker}`,
        `source_field_id ${integer} not null`,
        `source_value_id ${integer} not null`,
        `target_field_id ${integer} not null`,
        `target_value_id ${integer} not null`,
      ),
      'create index list_rule_by_tracker on list_rule (tracker_id)',
      table(
        'trigger_rule',
        `id ${identity}`,
        `tracker_id ${tracker}`,
        `needs_all ${integer} not null`,
        `field_id ${integer} not null`,
        `value_id ${integer} not null`,
        `children ${text} not null`,
      ),
      'create index trigger_rule_by_tracker on trigger_rule (tracker_id)',
      table(
        'job_call',
        `id ${identity}`,
        `url ${text} not null`,
        `body ${text} not null`,
        `attempts ${integer} not null`,
        `due_at ${integer} not null`,
      ),
      'create index job_call_by_due on job_call (due_at)',
    ];
  },
};
