import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, the longest first. Begun late, one of them would keep a single core busy when all others are done; vitest itself
 * knows how long files take only where it has run them before.
 */
const longest = [
  'platform/set-up',
  'web/test/home',
  'web/test/platform-admin',
  'web/test/svn',
  'hostile/matrix',
  'web/test/everywhere',
  'web/test/shell',
  'web/test/board',
  'web/test/artifact-texts',
  'web/test/project-admin',
  'web/test/tracker-admin',
  'web/test/timeline',
  'web/test/dashboards',
  'web/test/projects',
  'web/test/tracker-table',
  'hostile/requests',
  'web/test/help',
  'web/test/artifact-acts',
  'hostile/answers',
  'web/test/tracker-filters',
  'backup/backup',
  'platform/resilience',
  'web/test/tracker-cells',
  'platform/data-folder-sweep',
  'bench/test/dataset',
  'notify/inbox',
  'hostile/archives',
  'svn/rules',
  'archive/project-archives',
  'files/file-crashes',
  'http/direct-routes',
  'artifacts/freshness',
  'search/search-index',
  'platform/start',
  'resilience/stopping',
  'svn/serving',
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
