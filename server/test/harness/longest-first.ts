import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, the longest first. Begun late, one of them would keep a single core busy when all others are done; vitest itself
 * knows how long files take only where it has run them before.
 */
const longest = [
  'platform/set-up',
  'hostile/matrix',
  'http/discovery',
  'platform/resilience',
  'cli/projects',
  'bench/test/dataset',
  'backup/backup',
  'platform/cleaning',
  'hostile/requests',
  'hostile/answers',
  'archive/project-archives',
  'resilience/first-start',
  'platform/start',
  'artifacts/refusals',
  'svn/rules',
  'cli/cli',
];

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
  return place < 0 ? longest.length : place;
};

/** Decides which files begin first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}
