import { loadAllWords } from '../messages/index.ts';
import { later, loadControls } from '../ui/index.ts';

const firstSteps = later(
  async () => (await Promise.all([import('./first-steps/index.ts'), loadControls(), loadAllWords()]))[0],
);

/** Seen once by most people. */
export function FirstSteps() {
  const { FirstStepsPage } = firstSteps.use();
  return <FirstStepsPage />;
}
