export { ConflictDialog } from './conflict.tsx';
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
