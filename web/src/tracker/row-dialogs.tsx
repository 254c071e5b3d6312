import { useEffect, useRef } from 'react';
import { ConflictDialog, StepDialog, useSeenArtifact, useSteps } from '../artifact/index.ts';
import { useChangesOf } from '../store/index.ts';
import type { RowConflictProps, RowStepProps } from './artifact-parts.tsx';

/** A step of the workflow that was chosen in a cell: what it needs is asked for, and all is stored as one change. */
export function RowStep({ step, onDone }: RowStepProps) {
  const { seen } = useSeenArtifact(step.id);
  return seen === undefined ? null : <SeenStep seen={seen} step={step} onDone={onDone} />;
}

type SeenArtifact = Parameters<typeof useSteps>[0];

function SeenStep({ seen, step: { field, choice }, onDone }: RowStepProps & { readonly seen: SeenArtifact }) {
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
export function RowConflict({ uri, onDone }: RowConflictProps) {
  const { seen } = useSeenArtifact(Number(uri.split('/')[1]));
  const change = useChangesOf(uri).find(({ state }) => state === 'conflict');
  if (seen === undefined || change === undefined) return null;
  return <ConflictDialog seen={seen} change={change} onClose={onDone} />;
}
