export { ArtifactPage } from './page.tsx';
export { ArtifactPanel, type ArtifactPanelProps } from './panel.tsx';
