import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MailServer } from '../../server/test/fixtures/notify.ts';
import { Caller, startServer } from '../../server/test/harness/atelier.ts';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { environmentIn, lacksBrowser, password, type Site, startSite } from './harness/site.ts';

async function fillIn(page: Page, name: string, secret: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(lacksBrowser)('getting in', () => {
  let site: Site;
  let post: MailServer;
  beforeAll(async () => {
    post = await MailServer.start();
    site = await startSite({
      ATELIER_SMTP_URL: post.url,
      ATELIER_MAIL_FROM: 'Atelier <atelier@example.org>',
    });
  });
  afterEach(() => site.leave());
  afterAll(async () => {
    await site?.stop();
    await post?.stop();
  });

  const set = async (settings: object) => {
    const { status, text } = await site.admin.patch('/platform/settings', settings);
    expect(status, text).toBe(200);
  };
  const idOf = async (login: string) => (await site.as(login).get('/users/self')).body.id;

  test('P1.3 after too many wrong passwords the button is off until the time told, and a right one then works', async () => {
    await set({ login_account_attempts: 2, login_wait_seconds: 8 });
    try {
      const page = await site.visit({ path: '/login' });
      const button = page.getByRole('button', { name: 'Sign in' });
      for (const guess of ['one', 'two', 'three']) await fillIn(page, 'chiara', guess);
      await page
        .getByRole('alert')
        .getByText(/Too many attempts. Try again in \d+ second/)
        .waitFor();
      expect(await button.isDisabled()).toBe(true);
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('chiara');
      await eventually(async () => expect(await button.isDisabled()).toBe(false));
      await fillIn(page, 'chiara', password);
      await page.getByRole('heading', { name: 'My work' }).waitFor();
    } finally {
      await set({ login_account_attempts: 10, login_wait_seconds: 300 });
    }
  });

  test('P1.5 an expired password is changed before anything else, then the wanted page is there, and other sessions end', async () => {
    const other = await site.visit({ as: 'bruno', path: '/projects' });
    await other.getByRole('heading', { name: 'Projects' }).waitFor();
    const id = await idOf('bruno');
    await set({ password_lifetime_days: 30 });
    site.sql(`update account set password_set_at = password_set_at - ${40 * 86_400_000} where id = ${id}`);
    // What the service remembers of accounts is old now.
    site.sql("update revision set value = value + 1 where name = 'identity'");
    try {
      const page = await site.visit({ path: '/login?return_to=/projects/lighthouse' });
      await fillIn(page, 'bruno', password);
      await page.getByRole('heading', { name: 'Your password has expired' }).waitFor();
      await page.goto(`${site.url}/artifacts/142`);
      await page.getByRole('heading', { name: 'Your password has expired' }).waitFor();
      await page.goto(`${site.url}/projects/lighthouse`);
      await page.getByLabel('Current password').fill('not it');
      await page.getByLabel('New password', { exact: true }).fill('yet another horse');
      await page.getByLabel('The same again').fill('yet another horse');
      await page.getByRole('button', { name: 'Save the new password' }).click();
      await page.getByText('This is not your current password.').waitFor();
      expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('yet another horse');
      await page.getByLabel('Current password').fill(password);
      await page.getByRole('button', { name: 'Save the new password' }).click();
      await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
      await other.goto(`${site.url}/account/profile`);
      await other
        .getByRole('button', { name: 'Sign in' })
        .or(other.getByRole('link', { name: 'Sign in' }))
        .first()
        .waitFor();
    } finally {
      await set({ password_lifetime_days: 0 });
      await site.admin.put(`/users/${id}/password`, { password });
    }
  });

  test('P1.6 the link of the mail about a lost password works once', async () => {
    const page = await site.visit({ path: '/login' });
    await page.getByRole('link', { name: 'I forgot my password' }).click();
    await page.getByLabel('Name or mail address').fill('nobody-at-all');
    await page.getByRole('button', { name: 'Send the link' }).click();
    const answer = 'If there is such an account, a mail is on its way.';
    await page.getByText(answer).waitFor();
    await page.goto(`${site.url}/password/lost`);
    await page.getByLabel('Name or mail address').fill('ada');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(answer).waitFor();
    const link = await eventually(async () => {
      const found = post.mails
        .map(({ text }) => /\/password\/reset\?token=[\w-]+/.exec(text)?.[0])
        .find(Boolean);
      expect(found).toBeDefined();
      return found ?? '';
    });
    await page.goto(site.url + link);
    await page.getByLabel('New password', { exact: true }).fill('kurz');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText(/It needs at least \d+ characters/).waitFor();
    await page.getByLabel('New password', { exact: true }).fill('a horse of another colour');
    await page.getByLabel('The same again').fill('a horse of another colour');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('heading', { name: 'My work' }).waitFor();
    const again = await site.visit({ path: link });
    await again.getByLabel('New password', { exact: true }).fill('a horse of no colour');
    await again.getByLabel('The same again').fill('a horse of no colour');
    await again.getByRole('button', { name: 'Save and sign in' }).click();
    await again.getByText('This link was used already, or is too old.').waitFor();
  });

  test('P1.10 somebody whose account is suspended is told so', async () => {
    const id = await idOf('elif');
    const changed = await site.admin.patch(`/users/${id}`, { status: 'S' });
    expect(changed.status, changed.text).toBe(200);
    const page = await site.visit({ path: '/login' });
    await fillIn(page, 'elif', password);
    await page.getByRole('alert').getByText('This account is suspended').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('elif');
  });

  test('P1.1 P15.2 the password of the first start signs admin in, and the first steps are there until they are left', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-first-'));
    const server = await startServer({ ...environmentIn(folder), ATELIER_WEB: '1', ATELIER_DEMO: '1' });
    try {
      await eventually(async () => expect((await fetch(server.url)).status).toBe(200));
      const key = /X-Auth-AccessKey: (\S+?)['"]/.exec(server.output())?.[1] ?? '';
      const admin = new Caller(server.url, { 'X-Auth-AccessKey': key });
      await eventually(async () => expect((await admin.get('/projects')).body).not.toEqual([]));
      const secret = /password {4}(\S+)/.exec(server.output())?.[1] ?? '';
      const page = await site.visit({ path: '/login', at: server.url });
      await fillIn(page, 'admin', secret);
      await page.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor();
      const step = (name: string) => page.getByRole('listitem', { name });
      for (const name of [
        'Look at the demo project',
        'Create a project',
        'Invite people',
        'Make an access key',
      ])
        await step(name).waitFor();
      // What was announced of the form before is gone then.
      await page.reload();
      await step('Invite people').waitFor();
      await expectAccessibleEverywhere(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await expectNoSidewaysScrolling(page);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('button', { name: 'Skip: Make an access key' }).click();
      await step('Make an access key').getByText('Skipped').waitFor();
      await step('Invite people').getByRole('button', { name: 'Make a link' }).click();
      await page.getByLabel('User name').fill('grace');
      await page.getByRole('button', { name: 'Make a link' }).click();
      const link = (await step('Invite people').locator('code').textContent()) ?? '';
      await step('Invite people').getByText('Done').waitFor();
      await step('Look at the demo project').getByRole('button', { name: 'Take the tour' }).click();
      await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
      await page.getByRole('button', { name: 'Leave the tour' }).click();
      await page.goto(`${server.url}/`);
      await step('Look at the demo project').getByText('Done').waitFor();
      await step('Make an access key').getByText('Skipped').waitFor();
      await page.getByRole('button', { name: 'Go to my work' }).click();
      await page.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
      // They are in the help; and whoever was invited gets in, and sees what is for everybody.
      await page.goto(`${server.url}/help/first-steps`);
      await step('Create a project').waitFor();
      const invited = await site.visit({
        path: new URL(link).pathname + new URL(link).search,
        at: server.url,
      });
      await invited.getByLabel('New password', { exact: true }).fill('a horse of my own');
      await invited.getByLabel('The same again').fill('a horse of my own');
      await invited.getByRole('button', { name: 'Save and sign in' }).click();
      await invited.getByRole('listitem', { name: 'Three keys' }).waitFor();
      await invited.getByRole('button', { name: 'Go to my work' }).click();
      await invited.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
      await site.leave();
    } finally {
      await server.end();
    }
  });
});
