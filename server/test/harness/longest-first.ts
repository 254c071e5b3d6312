import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, the longest first. Begun late, one of them would keep a single core busy when all others are done; vitest itself
 * knows how long files take only where it has run them before.
 */
const longest = [
  'platform/set-up',
  'hostile/matrix',
  'web/test/everywhere',
  'web/test/board',
  'web/test/svn',
  'cli/projects',
  'backup/backup',
  'web/test/artifact-texts',
  'platform/resilience',
  'web/test/shell',
  'web/test/platform-admin',
  'hostile/requests',
  'bench/test/dataset',
  'platform/start',
  'web/test/projects',
  'web/test/project-admin',
  'web/test/tracker-admin',
  'platform/cleaning',
  'hostile/answers',
  'backup/backup-places',
  'cli/cli',
  'http/discovery',
  'archive/project-archives',
  'resilience/first-start',
  'artifacts/refusals',
  'svn/rules',
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
