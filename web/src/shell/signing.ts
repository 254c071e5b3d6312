import { loadEntryWords } from '../messages/index.ts';
import { later, loadControls } from '../ui/index.ts';

/** Forms of people who are not in yet. Whoever is signed in needs them when the session ends. */
export const signing = later(
  async () => (await Promise.all([import('./sign-in/index.ts'), loadControls(), loadEntryWords()]))[0],
);

export const loadSigning = signing.load;
