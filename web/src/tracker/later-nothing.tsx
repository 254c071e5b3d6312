import { Suspense } from 'react';
import { loadAllWords } from '../messages/index.ts';
import { later } from '../ui/index.ts';
import type { NothingProps } from './nothing.tsx';

/** Seen instead of rows. */
const nothing = later(async () => (await Promise.all([import('./nothing.tsx'), loadAllWords()]))[0]);

function Arrived(props: NothingProps) {
  const { Nothing: Loaded } = nothing.use();
  return <Loaded {...props} />;
}

/** Nothing is there: nobody created anything, or nothing has what is looked for. */
export function Nothing(props: NothingProps) {
  return (
    <Suspense fallback={null}>
      <Arrived {...props} />
    </Suspense>
  );
}
