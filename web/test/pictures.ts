import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { setUpFirstTeam } from './harness/first-team.ts';
import { startFresh } from './harness/fresh.ts';
import { picturesFolder as folder, takeSmall } from './harness/picture.ts';
import { type Site, startSite } from './harness/site.ts';
import type { VisitOptions } from './harness/visits.ts';

interface Picture extends VisitOptions {
  readonly name: string;
  /** What stands there when all of it has come. */
  readonly shows: readonly string[];
}

const sidebar = ['Epics', 'Members'];
const bugs = [...sidebar, 'Photo is turned by ninety degrees', '60 artifacts'];
const bug = [...sidebar, 'Photo is turned by ninety degrees', 'created this'];
const stories = [...sidebar, 'In progress'];

/** What README and docs show, from the demo project. */
const pictures: readonly Picture[] = [
  { name: 'table-light', path: '/trackers/5', as: 'ada', shows: bugs },
  { name: 'table-dark', path: '/trackers/5?group=status', as: 'ada', theme: 'dark', shows: bugs },
  { name: 'board-light', path: '/trackers/3?view=board', as: 'ada', shows: stories },
  { name: 'board-dark', path: '/trackers/3?view=board', as: 'ada', theme: 'dark', shows: stories },
  { name: 'artifact-light', path: '/artifacts/151', as: 'ada', shows: bug },
  { name: 'artifact-dark', path: '/artifacts/151', as: 'ada', theme: 'dark', shows: bug },
];

describe('the demo', () => {
  let site: Site;
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    site = await startSite();
  });
  afterAll(() => site.stop());
  afterEach(() => site.leave());

  test.each(pictures)('$name', async ({ name, shows, ...options }) => {
    const page = await site.visit(options);
    for (const words of shows) await page.getByText(words).filter({ visible: true }).first().waitFor();
    await page.waitForFunction(() => document.querySelector('[role=status] > span + span') === null);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  });
});

test('docs/first-team.md', async () => {
  const platform = await startFresh();
  try {
    const page = await platform.open('/login');
    await setUpFirstTeam(page, platform.open, platform, takeSmall);
  } finally {
    await platform.stop();
  }
});
