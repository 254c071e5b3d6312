import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { setUpFirstTeam } from './harness/first-team.ts';
import { startFresh } from './harness/fresh.ts';
import { picturesFolder as folder, takeSmall } from './harness/picture.ts';
import { type Site, startSite } from './harness/site.ts';
import type { VisitOptions } from './harness/visits.ts';

/** What README and docs show, from the demo project. */
const pictures: readonly (VisitOptions & { readonly name: string })[] = [
  { name: 'table-light', path: '/trackers/5', as: 'ada' },
  { name: 'table-dark', path: '/trackers/5?group=status', as: 'ada', theme: 'dark' },
  { name: 'board-light', path: '/trackers/5?view=board', as: 'ada' },
  { name: 'board-dark', path: '/trackers/5?view=board', as: 'ada', theme: 'dark' },
  { name: 'artifact-light', path: '/artifacts/151', as: 'ada' },
  { name: 'artifact-dark', path: '/artifacts/151', as: 'ada', theme: 'dark' },
];

describe('the demo', () => {
  let site: Site;
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    site = await startSite();
  });
  afterAll(() => site.stop());
  afterEach(() => site.leave());

  test.each(pictures)('$name', async ({ name, ...options }) => {
    const page = await site.visit(options);
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
