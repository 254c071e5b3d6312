import { changePostActions } from './change-post-actions.ts';
import { changeRules } from './change-rules.ts';
import { changeTriggers } from './change-triggers.ts';
import { changeWorkflow } from './change-workflow.ts';
import { changeConditions, createTransition, deleteTransition } from './transitions.ts';

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
