export {
  type FormPart,
  fieldsWithin,
  formParts,
  isContainer,
  isStatic,
  type Layout,
  layoutOf,
} from './layout.ts';
export { ArtifactPage } from './page.tsx';
export { ArtifactPanel, type ArtifactPanelProps } from './panel.tsx';
