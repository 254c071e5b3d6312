import { Suspense } from 'react';
import { type Choice, type Field, loadFieldParts } from '../fields/index.ts';
import { loadAllWords } from '../messages/index.ts';
import { holdKeys, later, loadControls } from '../ui/index.ts';

/** Rows are seen before anything of the room of artifacts is needed. */
const artifacts = later(
  async () =>
    (
      await Promise.all([import('../artifact/index.ts'), loadControls(), loadFieldParts(), loadAllWords()])
    )[0],
);

type Artifacts = Awaited<ReturnType<typeof artifacts.load>>;
type PanelProps = Parameters<Artifacts['ArtifactPanel']>[0];

/** An artifact beside the rows. */
export function Panel(props: PanelProps) {
  const { ArtifactPanel } = artifacts.use();
  return <ArtifactPanel {...props} />;
}

/** Whoever opens an artifact and goes on to comment on it at once need not wait for it. */
export async function commentSoon(id: number): Promise<void> {
  const keys = holdKeys({ hasLines: true });
  try {
    const { focusComposer } = await artifacts.load();
    focusComposer(id, keys);
  } catch {
    // The panel says that it cannot be loaded.
    keys.end();
  }
}

/** What is asked about one row. */
const dialogs = later(async () => (await Promise.all([import('./row-dialogs.tsx'), artifacts.load()]))[0]);

export interface StepWish {
  readonly id: number;
  readonly field: Field;
  readonly choice: Choice;
}

export interface RowStepProps {
  readonly step: StepWish;
  readonly onDone: () => void;
}

export interface RowConflictProps {
  readonly uri: string;
  readonly onDone: () => void;
}

function Loaded(props: RowStepProps | RowConflictProps) {
  const { RowConflict, RowStep } = dialogs.use();
  return 'step' in props ? <RowStep {...props} /> : <RowConflict {...props} />;
}

/** What has to be decided about a row: what a step needs, or which of two versions is meant. */
export function RowDialog(props: RowStepProps | RowConflictProps) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
