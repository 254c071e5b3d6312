import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MailServer } from '../../server/test/fixtures/notify.ts';
import { Caller } from '../../server/test/harness/atelier.ts';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { isAway } from './harness/faults.ts';
import { goInside } from './harness/inside.ts';
import { holdAnswer } from './harness/late.ts';
import {
  lacksBrowser,
  password,
  type Site,
  startSite,
  thoroughTest,
  untilAnswersKept,
} from './harness/site.ts';

describe.skipIf(lacksBrowser)('the account', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const keyPattern = /tlp-k1-\d+\.[0-9a-f]+/;

  async function generate(page: Page, description?: string, lastDay?: string): Promise<string> {
    await page.getByRole('button', { name: 'Generate a new key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Generate a new key' });
    if (description !== undefined) await dialog.getByLabel(/^Description/).fill(description);
    if (lastDay !== undefined) await dialog.getByLabel(/^Last day/).fill(lastDay);
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
    const key = await page.getByText(keyPattern).textContent();
    return key ?? '';
  }

  thoroughTest(
    'a key is copied also from a platform without https, to which browsers give no clipboard',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/robots.txt' });
      await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      await page.goto(`${site.url}/account/keys`);
      const key = await generate(page);
      const button = page.getByRole('button', { name: 'Copy', exact: true });
      await button.click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(
        await page.getByRole('button', { name: 'Copied' }).evaluate((it) => it === document.activeElement),
      ).toBe(true);
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').press('Control+v');
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(key);
    },
  );

  test('P11.1 a key without a description is shown once and works; after a reload its text is nowhere', async () => {
    const page = await site.visit({ as: 'ada', path: '/account/keys' });
    const key = await generate(page);
    expect(key).toMatch(keyPattern);
    const { status, body } = await new Caller(site.url, { 'X-Auth-AccessKey': key }).get('/users/self');
    expect([status, body.username]).toEqual([200, 'ada']);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await page.reload();
    // P11.2: its last use and from where.
    await page.getByRole('row', { name: /No description.*from 127\.0\.0\.1/ }).waitFor();
    const kept = await page.evaluate(async () => {
      const stored = [
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
        JSON.stringify(history.state),
      ];
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open(name ?? '');
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        for (const store of database.objectStoreNames) {
          const all = database.transaction(store).objectStore(store).getAll();
          stored.push(
            await new Promise((resolve) => {
              all.onsuccess = () => resolve(JSON.stringify(all.result));
            }),
          );
        }
        database.close();
      }
      return `${stored.join()}${document.documentElement.outerHTML}`;
    });
    expect(kept).not.toContain(key.split('.')[1]);
  });

  test('P11.3 a deleted key is refused from then on; P11.4 one with a last day works to its end', async () => {
    const page = await site.visit({ as: 'bruno', path: '/account/keys' });
    const key = await generate(page, 'Nightly export', '2099-12-31');
    const caller = new Caller(site.url, { 'X-Auth-AccessKey': key });
    const { body: keys } = await caller.get('/users/self/access_keys');
    expect(keys[0].expiration_date).toMatch(/^2099-12-31T23:59:59/);
    await page.getByRole('button', { name: 'Delete Nightly export' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Nightly export stops working at once').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No keys yet').waitFor();
    expect((await caller.get('/users/self')).status).toBe(401);
  });

  test('P11.5 sixty keys can all be reached', async () => {
    for (let made = 0; made < 60; made += 1)
      expect((await site.as('dev').post('/access_keys', { description: `Key ${made}` })).status).toBe(201);
    const page = await site.visit({ as: 'dev', path: '/account/keys' });
    await page.getByRole('button', { name: '10 more' }).click();
    await page.getByText('Key 0', { exact: true }).waitFor();
    await page.getByText('Key 59', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(61);
  });

  thoroughTest('a long description leaves the facts beside it their words', async () => {
    const { status } = await site.as('finn').post('/access_keys', { description: 'Nightly'.repeat(30) });
    expect(status).toBe(201);
    const page = await site.visit({ as: 'finn', path: '/account/keys' });
    const lines = await page.getByText(/^Never used/).evaluate((element) => {
      const range = document.createRange();
      range.selectNode(element.firstChild ?? element);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    // On a phone what a key is for stands beside its label.
    await page.setViewportSize({ width: 360, height: 800 });
    const [label, tag] = await page.getByText('REST', { exact: true }).evaluate((element) => {
      const cell = element.closest('td');
      return [cell?.getBoundingClientRect().top ?? 0, element.getBoundingClientRect().top];
    });
    expect((tag ?? 0) - (label ?? 0)).toBeLessThan(12);
  });

  thoroughTest('leaving before a new key was copied asks once', async () => {
    const page = await site.visit({ as: 'elif', path: '/account/keys' });
    await generate(page, 'Forgotten');
    await page.getByRole('link', { name: 'Profile' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Leave without copying the key?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.getByText(keyPattern).waitFor();
    await page.getByRole('link', { name: 'Profile' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });

  test('P11.7 a wrong current password is told at its field', async () => {
    const page = await site.visit({ as: 'elif', path: '/account/security' });
    await page.getByLabel('Current password', { exact: true }).fill('not this one');
    await page.getByLabel('New password', { exact: true }).fill('another correct horse');
    await page.getByLabel('The same again', { exact: true }).fill('another correct horse');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('This is not your current password.').waitFor();
  });

  thoroughTest(
    'that the server is away is told in plain words and at no field; the last day of a key is one of the person',
    async () => {
      const page = await site.visit({
        as: 'elif',
        path: '/account/keys',
        zone: 'America/Los_Angeles',
        expecting: isAway,
      });
      // There it is still the day before.
      await page.clock.setFixedTime('2030-03-02T03:00:00Z');
      await page.route('**/api/access_keys', (route) => route.abort());
      await page.getByRole('button', { name: 'Generate a new key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Generate a new key' });
      await dialog.getByLabel(/^Last day/).fill('2030-03-01');
      await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
      await dialog.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      expect(await dialog.locator('[aria-invalid=true]').count()).toBe(0);
    },
  );

  thoroughTest(
    'what somebody wants to be told of is seen at once, stored in its order, and as it was when it is lost',
    async () => {
      const page = await site.visit({ as: 'finn', path: '/account/notifications', expecting: isAway });
      const held: (() => void)[] = [];
      await page.route('**/api/users/*/*', async (route) => {
        if (['PUT', 'PATCH'].includes(route.request().method()))
          await new Promise<void>((resolve) => held.push(resolve));
        await route.continue();
      });
      const own = page.getByRole('switch', { name: /^My own changes/ });
      const boxes = ['It is assigned to me: Inbox', 'I commented on it: Inbox'].map((name) =>
        page.getByRole('checkbox', { name }),
      );
      await own.press('Space');
      for (const box of boxes) await box.press('Space');
      expect(await own.isChecked()).toBe(true);
      for (const box of boxes) await expect.poll(() => box.isChecked()).toBe(false);
      // The answer to the first of two knows nothing of the second.
      await expect.poll(() => held.length).toBe(2);
      for (const letGo of held) letGo();
      await expect.poll(() => held.length).toBe(3);
      for (const box of boxes) expect(await box.isChecked()).toBe(false);
      held[2]?.();
      const stored = async () => {
        const { body } = await site.as('finn').get('/users/self/notification_wishes');
        return [body.reasons.assigned.inbox, body.reasons.commented.inbox];
      };
      await expect.poll(stored).toEqual([false, false]);
      for (const box of boxes) expect(await box.isChecked()).toBe(false);
      await page.unrouteAll({ behavior: 'wait' });
      await page.route('**/api/**', (route) => route.abort());
      const lost = page.getByRole('checkbox', { name: 'I submitted it: Inbox' });
      await lost.press('Space');
      await page.getByText('The server cannot be reached.').first().waitFor();
      expect(await lost.isChecked()).toBe(true);
    },
  );

  thoroughTest(
    'what was answered before a wish was stored, and comes after it, does not take it back',
    async () => {
      const page = await site.visit({ as: 'dev', path: '/account/notifications' });
      const own = page.locator('#root').getByRole('switch', { name: /^My own changes/ });
      const box = page.locator('#root').getByRole('checkbox', { name: 'It is assigned to me: Inbox' });
      await Promise.all([own.waitFor(), box.waitFor()]);
      await untilAnswersKept(page, ['mail-wishes', 'notification-wishes']);
      const late = [
        await holdAnswer(page, '**/api/users/self/mail_notifications'),
        await holdAnswer(page, '**/api/users/self/notification_wishes'),
      ];
      await page.reload();
      await Promise.all(late.map(({ given }) => given));
      const before = [await own.isChecked(), await box.isChecked()];
      const stored = ['mail_notifications', 'notification_wishes'].map((name) =>
        page.waitForResponse((answer) => answer.url().endsWith(name) && answer.request().method() !== 'GET'),
      );
      await own.press('Space');
      await box.press('Space');
      await Promise.all(stored);
      for (const { come } of late) await come();
      expect([await own.isChecked(), await box.isChecked()]).toEqual(before.map((was) => !was));
    },
  );

  test('P11.6 ending another session signs that browser out', async () => {
    const page = await site.visit({ as: 'chiara', path: '/account/security' });
    const other = await site.visit({ as: 'chiara' });
    await other.getByRole('heading', { name: 'My work' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByText('All other sessions have ended.').first().waitFor();
    await other.reload();
    // A visitor again, or asked to sign in, over the page or in its place.
    const link = other.getByRole('link', { name: 'Sign in' });
    await link
      .or(other.getByRole('heading', { name: /^Sign in/ }))
      .first()
      .waitFor();
  });

  thoroughTest('all other sessions end, also where one of them has ended already', async () => {
    const page = await site.visit({ as: 'finn', path: '/account/security' });
    for (const _ of [1, 2]) await site.signIn((await site.visit({ path: '/robots.txt' })).context(), 'finn');
    await page.reload();
    const end = page.getByRole('button', { name: 'End all others' });
    await end.waitFor();
    const sessions = () => page.evaluate(async () => (await fetch('/api/sessions?limit=50')).json());
    const [first] = (await sessions()).filter((one: { is_current: boolean }) => !one.is_current);
    await page.evaluate((id) => fetch(`/api/sessions/${id}`, { method: 'DELETE' }), first.id);
    await end.click();
    await page.getByText('All other sessions have ended.').first().waitFor();
    expect(await sessions()).toHaveLength(1);
  });

  thoroughTest(
    'keys for SSH that another device added stay, also where this one shows what it has kept',
    async () => {
      const key = (letter: string) =>
        `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${letter.repeat(43)} ${letter}@example`;
      const store = (keys: string[]) => site.as('chiara').put('/users/self/ssh_keys', { keys });
      expect((await store([key('A')])).status).toBe(200);
      const page = await site.visit({ as: 'chiara', path: '/account/ssh' });
      const box = page.locator('#root').getByLabel('Public keys');
      await expect.poll(() => box.inputValue()).toBe(key('A'));
      await untilAnswersKept(page, ['ssh']);
      await store([key('A'), key('B')]);
      const late = await holdAnswer(page, '**/api/users/self/ssh_keys');
      await page.reload();
      await late.given;
      await box.fill(`${key('A')}\n${key('C')}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').first().waitFor();
      await late.come();
      const { body } = await site.as('chiara').get('/users/self/ssh_keys');
      expect(body.keys).toEqual([key('A'), key('B'), key('C')]);
      await expect.poll(() => box.inputValue()).toBe(body.keys.join('\n'));
    },
  );

  test('P11.8 French holds for the whole application, and on another browser', async () => {
    const page = await site.visit({ as: 'finn', path: '/account/appearance' });
    await page.getByRole('radio', { name: 'Français' }).click();
    await page.getByRole('heading', { name: 'Apparence' }).waitFor();
    const other = await site.visit({ as: 'finn' });
    await other.getByRole('heading', { name: 'Mon travail' }).waitFor();
    expect(await other.evaluate(() => document.documentElement.lang)).toBe('fr');
  });

  test('16.16 the page that somebody chose is the first one when they open Atelier, and my work is still there', async () => {
    const page = await site.visit({ as: 'elif', path: '/account/appearance' });
    await page.getByRole('button', { name: /First page/ }).click();
    await page.getByRole('option', { name: 'Inbox' }).click();
    await eventually(async () => {
      const { body } = await site.as('elif').get('/users/self/preferences?key=web.first_page');
      expect(body.value).toBe('/inbox');
    });
    await page.goto(site.url);
    await page.waitForURL('**/inbox');
    await page.getByRole('navigation').getByRole('link', { name: 'My work' }).first().click();
    await page.getByRole('tab', { name: /Assigned to me/ }).waitFor();
    await page.reload();
    await page.getByRole('tab', { name: /Assigned to me/ }).waitFor();
    await page.goto(`${site.url}/projects`);
    await page.getByRole('navigation').getByRole('link', { name: 'My work' }).first().click();
    await page.getByRole('tab', { name: /Assigned to me/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('16.16 a first page that was chosen on another device is the first one here, too', async () => {
    const choose = async (value: string) => {
      const { status } = await site
        .as('chiara')
        .patch('/users/self/preferences', { key: 'web.first_page', value });
      expect(status).toBe(200);
    };
    const page = await site.visit({ as: 'chiara' });
    await page.getByRole('tab', { name: /Assigned to me/ }).waitFor();
    await untilAnswersKept(page, ['standing']);
    await choose('/inbox');
    await page.goto(site.url);
    await page.waitForURL('**/inbox');
    await choose('');
  });

  test('P11.9 with single letters switched off they do nothing, and Ctrl K works', async () => {
    const page = await site.visit({ as: 'elif', path: '/account/appearance' });
    await page.getByText('Single letters are keys').click();
    await page.getByRole('switch', { name: /Single letters/, checked: false }).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Keys of this page' }).count()).toBe(0);
  });

  test('P11.10 a muted tracker sends no mail, and can be heard of again', async () => {
    const mail = await MailServer.start();
    const told = await startSite({ ATELIER_SMTP_URL: mail.url });
    try {
      const { body: self } = await told.as('elif').get('/users/self');
      const { body: trackers } = await told.admin.get('/projects/101/trackers?representation=full');
      const assign = async (name: string, label = 'Bugs') => {
        const { id, semantics } = trackers.find((one: { label: string }) => one.label === label);
        const values = [
          { field_id: semantics.title.field_id, value: name },
          { field_id: semantics.contributor.field_id, bind_value_ids: [self.id] },
        ];
        const reply = await told.as('ada').post('/artifacts', { tracker: { id }, values });
        expect(reply.status, reply.text).toBe(201);
      };
      const subjects = () => mail.mails.filter(({ to }) => to === self.email).map(({ subject }) => subject);
      await assign('Before it was muted');
      await eventually(() => expect(subjects().join()).toContain('Before it was muted'));
      const page = await told.visit({ as: 'elif', path: '/account/notifications' });
      await page.getByRole('button', { name: /Mute a tracker/ }).click();
      await page.getByRole('option', { name: 'Bugs' }).click();
      const again = page.getByRole('button', { name: 'Hear of Lighthouse Keeper / Bugs again' });
      await again.waitFor();
      await assign('While it is muted');
      // Mails leave in the order of what happened: when this one is there, the other would be too.
      await assign('Beside it', 'Tasks');
      await eventually(() => expect(subjects().join()).toContain('Beside it'));
      expect(subjects().join()).not.toContain('While it is muted');
      await again.click();
      await page.getByText('Nothing is muted.').waitFor();
      await assign('After it was muted');
      await eventually(() => expect(subjects().join()).toContain('After it was muted'));
      await told.leave();
    } finally {
      await told.stop();
      await mail.stop();
    }
  });

  thoroughTest('a name is changed, and mail only with the password', async () => {
    const page = await site.visit({ as: 'dev', path: '/account/profile' });
    await page.getByLabel('Real name', { exact: true }).fill('Dev R. Raman');
    await page.getByLabel('Mail address').fill('dev.raman@example.org');
    await page.getByLabel('Current password').fill('wrong');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Current password').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    const { body } = await site.as('dev').get('/users/self');
    expect([body.real_name, body.email]).toEqual(['Dev R. Raman', 'dev.raman@example.org']);
  });

  thoroughTest('its pages are for everybody, in both themes, on a phone and on a desk', async () => {
    const page = await site.visit({ as: 'ada', path: '/account/keys' });
    await page.getByRole('heading', { name: 'Personal API access keys' }).waitFor();
    await page.getByRole('table').waitFor();
    await expectAccessibleEverywhere(page);
    for (const name of ['profile', 'security', 'ssh', 'appearance', 'data']) {
      await page.setViewportSize({ width: 360, height: 740 });
      await goInside(page, `/account/${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectNoSidewaysScrolling(page);
    }
  });
});
