import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

/** The workflow of a tracker, at most one. */
export interface WorkflowTable {
  tracker_id: number;
  /** The list whose changes are the transitions. */
  field_id: number;
  is_used: Flag;
  is_legacy: Flag;
  is_advanced: Flag;
}

export interface WorkflowTransitionTable {
  id: Generated<number>;
  tracker_id: number;
  /** 0: a new artifact. */
  from_id: number;
  to_id: number;
  /** JSON array: groups that may take it; none: project members. */
  group_ids: string;
  /** JSON array: fields that must have a value. */
  not_empty_ids: string;
  is_comment_required: Flag;
}

/** What a transition, or the state it leads to, does by itself. */
export interface PostActionTable {
  id: Generated<number>;
  transition_id: number;
  /** JSON object: its type and what belongs to it. */
  settings: string;
}

export interface DateRuleTable {
  id: Generated<number>;
  tracker_id: number;
  source_field_id: number;
  target_field_id: number;
  comparator: string;
}

/** A value that a list may have while another has a certain value; 100 stands for none. */
export interface ListRuleTable {
  id: Generated<number>;
  tracker_id: number;
  source_field_id: number;
  source_value_id: number;
  target_field_id: number;
  target_value_id: number;
}

/** Sets a value of a parent when its children have certain values. */
export interface TriggerRuleTable {
  id: Generated<number>;
  /** The tracker of the parents. */
  tracker_id: number;
  /** All children must have one of the values; else one child is enough. */
  needs_all: Flag;
  field_id: number;
  value_id: number;
  /** JSON array of `[field, value]`. */
  children: string;
}

/** A call to another server that is still to be made. */
export interface JobCallTable {
  id: Generated<number>;
  url: string;
  /** The form that is sent. */
  body: string;
  attempts: number;
  /** Not before this; while somebody makes the call, when others may believe that they died. */
  due_at: number;
}

export interface WorkflowTables {
  workflow: WorkflowTable;
  workflow_transition: WorkflowTransitionTable;
  post_action: PostActionTable;
  date_rule: DateRuleTable;
  list_rule: ListRuleTable;
  trigger_rule: TriggerRuleTable;
  job_call: JobCallTable;
}
