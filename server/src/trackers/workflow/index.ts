/*
 * How artifacts may change, and who says so.
 *
 * steps.ts, rules.ts   which step a change takes and which rules it would break: pure
 * transitions.ts       transitions as clients ask for them
 * change-workflow.ts, change-rules.ts, change-triggers.ts, change-post-actions.ts   changes of the workflow itself; write.ts stores it
 * copy.ts              takes it along when a tracker is copied; uses.ts says what rests on a field or a value
 *
 * The data is `trackers/governance.ts`; who obeys it is `artifacts/write/workflow.ts`.
 */

export { type CopiedIds, copyGovernance } from './copy.ts';
export { workflowOperations } from './operations.ts';
export { brokenRules } from './rules.ts';
export { labelOfState, nameOfStep, type Step, stateOf, stepOf, valuesSetBy } from './steps.ts';
export { requireTrackerOfTransition, requireTransition } from './transitions.ts';
export { type Governing, governingUses, useOfField, useOfValue } from './uses.ts';
