import { Suspense } from 'react';
import { loadAllWords } from '../messages/index.ts';
import { HeldKeys, later, loadControls } from '../ui/index.ts';
import type { BulkBarProps } from './bulk/bar.tsx';

/** Loaded when the first row is selected. */
const bar = later(
  async () => (await Promise.all([import('./bulk/bar.tsx'), loadControls(), loadAllWords()]))[0],
);

/** What can be done with the rows that are selected. */
export function SelectionBar(props: BulkBarProps) {
  return (
    <Suspense fallback={props.asked === undefined ? null : <HeldKeys />}>
      <LoadedBar {...props} />
    </Suspense>
  );
}

function LoadedBar(props: BulkBarProps) {
  const { BulkBar } = bar.use();
  return <BulkBar {...props} />;
}
