/*
 * An artifact, as a page and as a panel beside a list.
 *
 * seen.ts           an artifact with its tracker, and what is not stored yet on top of it: read it first
 * layout.ts         which field stands where; body.tsx puts head.tsx, strip.tsx, sections.tsx, children.tsx and timeline.tsx together for page.tsx and panel.tsx
 * editable-field.tsx   a value that becomes its control; edit-again.ts opens one for keys (keys.ts) and after a refusal; edit-all.tsx all at once
 * steps.ts, step-dialog.tsx   steps of the workflow; conflict.tsx what merging could not decide
 * composer.tsx, comment-versions.tsx, joined.ts   comments, and entries of the timeline that belong together; watch.tsx
 * more.tsx          what else can be done: move-dialog.tsx, delete-dialog.tsx
 *
 * Nothing that somebody wrote is lost: it is a draft, then a pending change, and after a refusal it can be edited again.
 */

export { ConflictDialog } from './conflict.tsx';
export { focusComposer } from './keys.ts';
export {
  type FormPart,
  fieldsWithin,
  formParts,
  type Layout,
  layoutOf,
} from './layout.ts';
export { ArtifactPage } from './page.tsx';
export { ArtifactPanel, type ArtifactPanelProps } from './panel.tsx';
export { type SeenArtifact, useReasonNot, useSeenArtifact } from './seen.ts';
export { StepDialog } from './step-dialog.tsx';
export { useSteps } from './steps.ts';
