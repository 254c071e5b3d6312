import { Suspense } from 'react';
import { loadAllWords } from '../messages/index.ts';
import { later } from '../ui/index.ts';
import type { ProblemProps } from './problem.tsx';

/** Most pages go well. */
const problems = later(async () => (await Promise.all([import('./problem.tsx'), loadAllWords()]))[0]);

function LoadedProblem(props: ProblemProps) {
  const { Problem: Loaded } = problems.use();
  return <Loaded {...props} />;
}

function LoadedPage(props: ProblemProps) {
  const { ProblemPage: Loaded } = problems.use();
  return <Loaded {...props} />;
}

function LoadedOfAll(props: ProblemProps) {
  const { ProblemOfAll: Loaded } = problems.use();
  return <Loaded {...props} />;
}

/** Nothing can be shown at all. */
export function ProblemOfAll(props: ProblemProps) {
  return (
    <Suspense fallback={null}>
      <LoadedOfAll {...props} />
    </Suspense>
  );
}

/** What went wrong with a whole page, and the ways on. */
export function Problem(props: ProblemProps) {
  return (
    <Suspense fallback={null}>
      <LoadedProblem {...props} />
    </Suspense>
  );
}

/** A page that could not be shown. */
export function ProblemPage(props: ProblemProps) {
  return (
    <Suspense fallback={null}>
      <LoadedPage {...props} />
    </Suspense>
  );
}
