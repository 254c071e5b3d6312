import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { setUpFirstTeam } from './harness/first-team.ts';
import { type FreshPlatform, startFresh } from './harness/fresh.ts';
import { lacksBrowser, lacksSubversion, thoroughTest } from './harness/site.ts';

describe.skipIf(lacksBrowser || lacksSubversion)('a new team', () => {
  let platform: FreshPlatform;
  beforeAll(async () => {
    platform = await startFresh();
  });
  afterAll(() => platform?.stop());

  thoroughTest(
    'P15.1 is set up by browser alone: settings, people, a project, two trackers, a board, a repository, a webhook, a backup',
    {
      timeout: 300_000,
    },
    async () => {
      const { secret, receiver, admin, open } = platform;
      const page = await open('/login');
      const { archive } = await setUpFirstTeam(page, open, { secret, receiver }, async () => {});
      expect(readFileSync(archive).subarray(0, 2).toString()).toBe('PK');
      // What the browser said is so.
      const { body: trackers } = await admin.get('/projects/101/trackers');
      expect(trackers.map(({ item_name }: { item_name: string }) => item_name).sort()).toEqual([
        'bug',
        'task',
      ]);
      for (const { id } of trackers) {
        const { body } = await admin.get(`/trackers/${id}`);
        expect(body.workflow.transitions.length).toBeGreaterThan(2);
      }
      const bugs = trackers.find(({ item_name }: { item_name: string }) => item_name === 'bug');
      const { body: reports } = await admin.get(`/trackers/${bugs.id}/tracker_reports`);
      expect(reports.map(({ label }: { label: string }) => label)).toContain('Board');
      expect((await admin.get(`/trackers/${bugs.id}/artifacts`)).body).toHaveLength(3);
      const { body: svn } = await admin.get('/projects/101/svn');
      const { body: repository } = await admin.get(`/svn/${svn.repositories[0].id}`);
      expect(repository.settings.commit_rules.is_reference_mandatory).toBe(true);
      const { body: members } = await admin.get('/user_groups/101_3/users');
      expect(members.map(({ username }: { username: string }) => username)).toContain('grace');
    },
  );
});
