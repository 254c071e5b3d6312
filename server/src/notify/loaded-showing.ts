import type { Showing } from './model.ts';

async function load(publicUrl: string): Promise<Showing> {
  const { ChangeShowing } = await import('./change-showing.ts');
  return new ChangeShowing(publicUrl);
}

/** What artifacts are shown with is loaded when the first mail or webhook needs it: most platforms start without. */
export function loadedShowing(publicUrl: string): () => Promise<Showing> {
  let loaded: Promise<Showing> | undefined;
  /** What could not be loaded, for want of open files maybe, is loaded by the next who needs it. */
  return () =>
    (loaded ??= load(publicUrl).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
