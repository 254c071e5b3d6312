import { Suspense, useEffect, useRef } from 'react';
import { type Choice, type Field, loadFieldParts } from '../fields/index.ts';
import { loadAllWords } from '../messages/index.ts';
import { useChangesOf } from '../store/index.ts';
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
export async function commentSoon(): Promise<void> {
  const keys = holdKeys();
  try {
    const { focusComposer } = await artifacts.load();
    focusComposer();
    keys.release();
  } catch {
    // The panel says that it cannot be loaded.
    keys.end();
  }
}

export interface StepWish {
  readonly id: number;
  readonly field: Field;
  readonly choice: Choice;
}

/** A step of the workflow that was chosen in a cell: what it needs is asked for, and all is stored as one change. */
export function RowStep(props: { readonly step: StepWish; readonly onDone: () => void }) {
  return (
    <Suspense fallback={null}>
      <LoadedStep {...props} />
    </Suspense>
  );
}

function LoadedStep({ step, onDone }: { readonly step: StepWish; readonly onDone: () => void }) {
  const { useSeenArtifact } = artifacts.use();
  const { seen } = useSeenArtifact(step.id);
  return seen === undefined ? null : <SeenStep seen={seen} step={step} onDone={onDone} />;
}

type SeenArtifact = Parameters<Artifacts['useSteps']>[0];

function SeenStep({
  seen,
  step: { field, choice },
  onDone,
}: {
  readonly seen: SeenArtifact;
  readonly step: StepWish;
  readonly onDone: () => void;
}) {
  const { StepDialog, useSteps } = artifacts.use();
  const { take, asksFor, step, closeStep } = useSteps(seen, field);
  const isTaken = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is taken once, as soon as the artifact is known.
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    take(choice);
    // Nothing was missing: it is stored.
    if (asksFor(choice) === undefined) onDone();
  }, []);
  if (step === null) return null;
  const close = () => {
    closeStep();
    onDone();
  };
  return <StepDialog seen={seen} step={step} onClose={close} />;
}

/** Both versions of a cell that somebody else changed meanwhile. */
export function RowConflict(props: { readonly uri: string; readonly onDone: () => void }) {
  return (
    <Suspense fallback={null}>
      <LoadedConflict {...props} />
    </Suspense>
  );
}

function LoadedConflict({ uri, onDone }: { readonly uri: string; readonly onDone: () => void }) {
  const { ConflictDialog, useSeenArtifact } = artifacts.use();
  const { seen } = useSeenArtifact(Number(uri.split('/')[1]));
  const change = useChangesOf(uri).find(({ state }) => state === 'conflict');
  if (seen === undefined || change === undefined) return null;
  return <ConflictDialog seen={seen} change={change} onClose={onDone} />;
}
