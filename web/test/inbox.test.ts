import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoSidewaysScrolling,
} from './harness/accessible.ts';
import { holdAnswer } from './harness/late.ts';
import { lacksBrowser, type Site, startSite, thoroughTest, untilAnswersKept } from './harness/site.ts';

/** Of the demo project. */
const bugs = 5;

describe.skipIf(lacksBrowser)('the inbox', () => {
  let site: Site;
  let bug: { id: number; xref: string; title: string };
  let other: { id: number; xref: string; title: string };

  const say = async (login: string, id: number, body: string) => {
    const reply = await site.as(login).post(`/artifacts/${id}/comments`, { body, format: 'commonmark' });
    expect(reply.status, reply.text).toBe(201);
  };
  const unreadOf = async (login: string): Promise<number> =>
    (await site.as(login).get('/users/self/standing')).body.unread_notifications;
  const hasUnread = (login: string, count: number) =>
    eventually(async () => expect(await unreadOf(login)).toBe(count));
  const entry = (page: Page, xref: string) =>
    page.getByRole('region', { name: 'Notifications' }).getByRole('link', { name: xref });
  const tab = (page: Page, name: string) => page.getByRole('tab', { name });
  const inSidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' });

  beforeAll(async () => {
    site = await startSite();
    const { body } = await site.admin.get(`/trackers/${bugs}/artifacts?limit=2`);
    [bug, other] = body;
  });
  beforeEach(async () => {
    const done = { until: '2100-01-01', is_done: true, is_read: true };
    for (const login of ['ada', 'bruno'])
      expect((await site.as(login).patch('/users/self/notifications', done)).status).toBe(200);
    await hasUnread('bruno', 0);
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  test('P2.9 who is mentioned sees the number, and it goes down by opening the artifact from a list', async () => {
    const page = await site.visit({ as: 'bruno', path: `/trackers/${bugs}` });
    await page.getByRole('row').nth(1).waitFor();
    await inSidebar(page).getByRole('link', { name: 'Inbox', exact: true }).waitFor();
    await say('ada', bug.id, 'What do you think, @bruno?');
    // The page is told while it is open.
    await inSidebar(page).getByRole('link', { name: 'Inbox 1' }).waitFor();
    await eventually(async () => expect(await page.title()).toMatch(/^\(1\) /));
    await page
      .getByRole('row')
      .filter({ hasText: String(bug.id) })
      .getByText(bug.title)
      .first()
      .click();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: bug.xref }).waitFor();
    await inSidebar(page).getByRole('link', { name: 'Inbox', exact: true }).waitFor();
    await eventually(async () => expect(await page.title()).not.toMatch(/^\(/));
    await hasUnread('bruno', 0);
  });

  thoroughTest(
    'the number stays as it was told last, also when who one is was asked before and is answered after',
    async () => {
      await say('ada', bug.id, 'And what do you think, @bruno?');
      await hasUnread('bruno', 1);
      const page = await site.visit({ as: 'bruno', path: '/help' });
      await inSidebar(page).getByRole('link', { name: 'Inbox 1' }).waitFor();
      await untilAnswersKept(page, ['users/self","standing']);
      const late = await holdAnswer(page, '**/api/users/self/standing');
      await page.goto(`${site.url}/artifacts/${bug.id}`);
      await late.given;
      await inSidebar(page).getByRole('link', { name: 'Inbox', exact: true }).waitFor();
      await late.come();
      expect(await inSidebar(page).getByRole('link', { name: 'Inbox', exact: true }).count()).toBe(1);
    },
  );

  thoroughTest(
    'what is opened from the inbox is shown beside it, read, with a line above what is new',
    async () => {
      await say('ada', bug.id, 'Shall we talk, @bruno?');
      await hasUnread('bruno', 1);
      const page = await site.visit({ as: 'bruno', path: '/inbox' });
      await entry(page, bug.xref).getByText('mentioned you in').waitFor();
      await entry(page, bug.xref).getByText('Shall we talk, @bruno?').waitFor();
      await page.locator('main').focus();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('complementary', { name: bug.xref });
      await panel.getByText('New since you looked').waitFor();
      expect(new URL(page.url()).searchParams.get('artifact')).toBe(String(bug.id));
      await hasUnread('bruno', 0);
      await entry(page, bug.xref).waitFor();
      // Marked unread, it counts again.
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await page.keyboard.press('u');
      await hasUnread('bruno', 1);
      await inSidebar(page).getByRole('link', { name: 'Inbox 1' }).waitFor();
    },
  );

  test('P2.10 e on an entry, Ctrl z: it is back', async () => {
    await say('ada', bug.id, 'First, @bruno');
    await say('ada', other.id, 'Second, @bruno');
    await hasUnread('bruno', 2);
    const page = await site.visit({ as: 'bruno', path: '/inbox' });
    await entry(page, other.xref).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await entry(page, other.xref).waitFor({ state: 'detached' });
    await hasUnread('bruno', 1);
    await page.keyboard.press('Control+z');
    await entry(page, other.xref).waitFor();
    await hasUnread('bruno', 2);
    // Everything at once, and back.
    await page.keyboard.press('Shift+E');
    await page.getByText('Nothing to do here').waitFor();
    await hasUnread('bruno', 0);
    await page.keyboard.press('Control+z');
    await entry(page, bug.xref).waitFor();
    await entry(page, other.xref).waitFor();
    await hasUnread('bruno', 2);
    // What is done is kept, and can be taken back from there.
    await page.getByRole('button', { name: `Done: ${bug.xref}` }).click();
    await entry(page, bug.xref).waitFor({ state: 'detached' });
    await tab(page, 'Done').click();
    await page.getByRole('button', { name: `Back to the inbox: ${bug.xref}` }).click();
    await tab(page, 'Inbox').click();
    await entry(page, bug.xref).waitFor();
  });

  test('P2.11 snoozed until a time: gone, then back unread', async () => {
    await say('ada', bug.id, 'Later, @bruno');
    await hasUnread('bruno', 1);
    const page = await site.visit({ as: 'bruno', path: '/inbox' });
    await entry(page, bug.xref).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    const dialog = page.getByRole('dialog', { name: `Snooze: ${bug.xref}` });
    await dialog.getByRole('button', { name: 'Tomorrow' }).click();
    await entry(page, bug.xref).waitFor({ state: 'detached' });
    await hasUnread('bruno', 0);
    await tab(page, 'Snoozed').click();
    await entry(page, bug.xref)
      .getByText(/^until /)
      .waitFor();
    // Tomorrow comes.
    site.sql(`update notification set snoozed_until = ${Date.now() - 1} where snoozed_until is not null`);
    await hasUnread('bruno', 1);
    await tab(page, 'Inbox').click();
    await entry(page, bug.xref).getByText('Unread').waitFor({ state: 'attached' });
    await inSidebar(page).getByRole('link', { name: 'Inbox 1' }).waitFor();
  });

  test('P11.10 a muted tracker sends neither mail nor notice', async () => {
    const page = await site.visit({ as: 'bruno', path: `/trackers/${bugs}` });
    await page.getByRole('row').nth(1).waitFor();
    const turnMuting = async () => {
      await page.getByRole('button', { name: 'Watch or mute the tracker' }).click();
      await page.getByRole('menuitem', { name: 'Mute the tracker' }).click();
    };
    await turnMuting();
    await page.getByText('You hear nothing of this tracker').first().waitFor();
    await say('ada', bug.id, 'Quiet, @bruno');
    await say('bruno', other.id, 'And you, @ada?');
    // Whoever is not muted was told after it.
    await hasUnread('ada', 1);
    expect(await unreadOf('bruno')).toBe(0);
    await turnMuting();
    await eventually(async () => {
      const { body } = await site.as('bruno').get(`/trackers/${bugs}/watching`);
      expect(body).toMatchObject({ is_muted: false });
    });
  });

  test('17.10 the view that is shown is watched by the bell of its table, and what it comes to find is in the inbox', async () => {
    const { body: tracker } = await site.as('ada').get(`/trackers/${bugs}`);
    const { field_id: title } = tracker.semantics.title;
    const { name } = tracker.fields.find(({ field_id }: { field_id: number }) => field_id === title);
    const saved = await site.as('bruno').post(`/trackers/${bugs}/tracker_reports`, {
      label: 'About lamps',
      is_in_expert_mode: true,
      expert_query: `${name} = 'lamp of the tower'`,
    });
    expect(saved.status, saved.text).toBe(201);
    const page = await site.visit({ as: 'bruno', path: `/trackers/${bugs}?report=${saved.body.id}` });
    await page.getByRole('button', { name: 'Watch or mute the tracker' }).click();
    await page.getByRole('menuitem', { name: 'Watch “About lamps”' }).click();
    await page.getByText('You hear of what “About lamps” comes to find').first().waitFor();
    const values = [{ field_id: title, value: 'The lamp of the tower is dark' }];
    await site.as('ada').post('/artifacts', { tracker: { id: bugs }, values });
    await hasUnread('bruno', 1);
    await page.goto(new URL('/inbox', page.url()).href);
    await page.getByText('A search that you watch finds it').first().waitFor();
    await site.as('bruno').delete(`/tracker_reports/${saved.body.id}`);
  });

  thoroughTest('is narrowed by reason and project, and says what it was narrowed by', async () => {
    await say('ada', bug.id, 'For you, @bruno');
    await hasUnread('bruno', 1);
    const page = await site.visit({ as: 'bruno', path: '/inbox' });
    await entry(page, bug.xref).waitFor();
    await page.getByRole('button', { name: 'Reason: all' }).click();
    await page.getByRole('menuitem', { name: 'Assigned to me' }).click();
    await page.getByText('There is nothing with Assigned to me.').waitFor();
    expect(new URL(page.url()).searchParams.get('reason')).toBe('assigned');
    await page.getByRole('button', { name: 'Clear' }).click();
    await entry(page, bug.xref).waitFor();
    await page.getByRole('button', { name: 'Project: all' }).click();
    await page.getByRole('menuitem', { name: 'Lighthouse Keeper' }).click();
    await entry(page, bug.xref).waitFor();
    expect(new URL(page.url()).searchParams.get('project')).toBe('101');
  });

  thoroughTest('for each reason one chooses inbox and mail, and how mails come', async () => {
    const page = await site.visit({ as: 'bruno', path: '/account/notifications' });
    const wishes = async () => (await site.as('bruno').get('/users/self/notification_wishes')).body;
    const mentions = page.getByRole('checkbox', { name: 'Somebody mentions me: Inbox' });
    await mentions.waitFor();
    expect(await mentions.isChecked()).toBe(true);
    await page
      .getByRole('row', { name: /Somebody mentions me/ })
      .locator('label')
      .first()
      .click();
    await eventually(async () =>
      expect((await wishes()).reasons.mention).toEqual({ inbox: false, mail: true }),
    );
    await page.getByRole('button', { name: /Mails come/ }).click();
    await page.getByRole('option', { name: 'Every day, as one' }).click();
    await eventually(async () => expect((await wishes()).digest).toBe('daily'));
    await say('ada', bug.id, 'You do not hear this, @bruno');
    await say('bruno', other.id, 'But you hear this, @ada');
    await hasUnread('ada', 1);
    expect(await unreadOf('bruno')).toBe(0);
    await expectAccessibleEverywhere(page);
    const back = { reasons: { mention: { inbox: true } }, digest: 'none' };
    expect((await site.as('bruno').put('/users/self/notification_wishes', back)).status).toBe(200);
  });

  thoroughTest(
    'everybody hears that it is asked for again, in the part of the page that this is about',
    async () => {
      await say('ada', bug.id, 'First, @bruno');
      await hasUnread('bruno', 1);
      const page = await site.visit({ as: 'bruno', path: '/inbox' });
      await entry(page, bug.xref).waitFor();
      const answer = Promise.withResolvers<void>();
      await page.route('**/api/users/*/notifications?*', async (route) => {
        await answer.promise;
        await route.continue();
      });
      await say('ada', other.id, 'Second, @bruno');
      await page.getByRole('main').getByRole('progressbar', { name: 'Asking the server again' }).waitFor();
      await expectAccessible(page);
      answer.resolve();
      await entry(page, other.xref).waitFor();
    },
  );

  thoroughTest('everybody can use it, on small screens too', async () => {
    await say('ada', bug.id, `A long remark, @bruno: ${'lorem ipsum dolor sit amet '.repeat(20)}`);
    await say('ada', other.id, 'Short, @bruno');
    await hasUnread('bruno', 2);
    const page = await site.visit({ as: 'bruno', path: '/inbox' });
    await entry(page, bug.xref).waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScrolling(page);
    const bar = page.getByRole('navigation', { name: 'At hand' });
    await bar.getByRole('link', { name: 'Inbox 2' }).waitFor();
    await entry(page, bug.xref).click();
    await page.getByRole('heading', { name: bug.title }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/artifacts/${bug.id}`);
    await bar.getByRole('link', { name: 'Inbox 1' }).waitFor();
  });
});
