import { type ComponentType, Suspense } from 'react';
import { HeldKeys, later } from '../ui/index.ts';

const parts = later(() => import('./parts/index.ts'));
type Parts = Awaited<ReturnType<typeof parts.load>>;

/** For pages that show or change values: they are drawn with all of it at once. */
export async function loadFieldParts(): Promise<void> {
  await parts.load();
}

/** A part of a type that arrives with the others: a table is drawn without them. What is typed before its control is there is not lost. */
export function arriving<Props extends object>(
  pick: (all: Parts) => ComponentType<Props>,
): ComponentType<Props> {
  function Arrived(props: Props) {
    const Part = pick(parts.use());
    return <Part {...props} />;
  }
  return function Arriving(props: Props) {
    const takesFocus = 'autoFocus' in props && props.autoFocus === true;
    return (
      <Suspense fallback={takesFocus ? <HeldKeys /> : null}>
        <Arrived {...props} />
      </Suspense>
    );
  };
}
