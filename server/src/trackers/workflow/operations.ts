import { changePostActions } from './post-actions.ts';
import { changeRules } from './rule-changes.ts';
import { changeWorkflow } from './switching.ts';
import { changeConditions, createTransition, deleteTransition } from './transitions.ts';
import { changeTriggers } from './trigger-changes.ts';

/** Everything that changes how artifacts may change. */
export const workflowOperations = {
  changeWorkflow,
  createTransition,
  changeConditions,
  deleteTransition,
  changePostActions,
  changeRules,
  changeTriggers,
};
