import type { Page } from 'playwright-core';

/** What a new platform is set up with. */
export interface FirstTeam {
  /** The password that the first start printed. */
  readonly secret: string;
  /** A server that takes calls of webhooks. */
  readonly receiver: string;
}

/** Another person, at a browser of their own. */
export type Elsewhere = (path: string) => Promise<Page>;

/** Keeps what is seen now as a picture. */
export type Take = (page: Page, name: string) => Promise<void>;

async function signIn(page: Page, secret: string, take: Take): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor();
  await take(page, 'first-steps');
}

const openAdministration = async (page: Page) => {
  await page.getByRole('button', { name: /^Menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Platform administration' }).click();
};

/** The pages of settings stand in the sidebar. */
const openPage = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Main', exact: true })
    .getByRole('link', { name, exact: true })
    .click();

async function setPlatformUp(page: Page, { receiver }: FirstTeam, take: Take): Promise<void> {
  await openAdministration(page);
  await openPage(page, 'Settings');
  await page.getByPlaceholder('Find a setting').fill('password');
  await page.getByRole('textbox', { name: 'Shortest password' }).fill('12');
  await take(page, 'settings');
  await page.getByPlaceholder('Find a setting').fill('webhook');
  await page.getByRole('textbox', { name: 'Private hosts for webhooks' }).fill(receiver);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('2 settings are saved.').first().waitFor();
}

async function invite(page: Page, elsewhere: Elsewhere, take: Take): Promise<Page> {
  await openPage(page, 'Users');
  await page.getByRole('button', { name: 'Create an account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^User name/).fill('grace');
  await dialog.getByLabel('Real name').fill('Grace Okafor');
  await dialog.getByRole('button', { name: 'Create and make the link' }).click();
  const link = await page.getByRole('region', { name: 'Invitation link' }).locator('code').textContent();
  await take(page, 'invitation');
  await page.getByRole('button', { name: 'Done' }).click();
  const { pathname, search } = new URL(link ?? '');
  const theirs = await elsewhere(pathname + search);
  await theirs.getByLabel('New password', { exact: true }).fill('a long enough password');
  await theirs.getByLabel('The same again', { exact: true }).fill('a long enough password');
  await theirs.getByRole('button', { name: 'Save and sign in' }).click();
  await theirs.getByRole('button', { name: 'Go to my work' }).click();
  await theirs.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
  return theirs;
}

async function createProject(page: Page, take: Take): Promise<void> {
  await page.getByRole('link', { name: 'Atelier', exact: true }).click();
  await page.getByRole('link', { name: 'New project' }).first().click();
  await page.getByRole('radio', { name: /^Empty/ }).check({ force: true });
  await page.getByLabel(/^Name/).fill('Web Shop');
  await take(page, 'new-project');
  await page.getByRole('button', { name: 'Create the project' }).click();
  await page.getByRole('heading', { level: 1, name: 'Web Shop' }).waitFor();
  await take(page, 'empty-project');
}

async function addMember(page: Page): Promise<void> {
  await openPage(page, 'Members');
  await page.getByRole('button', { name: 'Add people' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add people to the project' });
  await dialog.getByLabel('Names or mail addresses').fill('grace');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('link', { name: /Grace Okafor/ }).waitFor();
}

/** A tracker of one's own making: its form by one button, its workflow step by step. */
async function buildTracker(page: Page, take: Take): Promise<void> {
  await openPage(page, 'Overview');
  await page.getByRole('main').getByRole('button', { name: 'New tracker' }).click();
  const dialog = page.getByRole('dialog', { name: 'New tracker' });
  await dialog.getByRole('radio', { name: 'Empty' }).check({ force: true });
  await dialog.getByLabel(/^Name/).fill('Bugs');
  await dialog.getByLabel('Short name').fill('bug');
  await dialog.getByRole('button', { name: 'Create the tracker' }).click();
  await page.getByRole('link', { name: 'Build the form' }).click();
  await page.getByRole('button', { name: 'Usual fields' }).click();
  await page.getByRole('button', { name: 'Title required' }).waitFor();
  await take(page, 'form');
  await openPage(page, 'Workflow');
  await page.getByRole('button', { name: 'Make a workflow' }).click();
  const steps = page.getByRole('table', { name: 'Steps of the workflow' });
  for (const name of ['(new) to Open', 'Open to In progress', 'In progress to Closed', 'Closed to Open']) {
    const step = steps.getByRole('button', { name, exact: true });
    await step.press('Space');
    await page
      .getByText(`The step ${name.replace(' to ', ' → ')} is there.`)
      .first()
      .waitFor();
  }
  await take(page, 'workflow');
}

const main = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true });

/** And one from a template, which brings its form and its workflow along. */
async function addTemplateTracker(page: Page): Promise<void> {
  await main(page).getByRole('link', { name: /^Back/ }).click();
  await openPage(page, 'Overview');
  await page.getByRole('main').getByRole('button', { name: 'New tracker' }).click();
  const dialog = page.getByRole('dialog', { name: 'New tracker' });
  await dialog.getByRole('button', { name: 'Like' }).click();
  await page.getByRole('option', { name: 'Tasks' }).first().click();
  await dialog.getByRole('button', { name: 'Create the tracker' }).click();
  await page.getByRole('button', { name: 'Create the first' }).waitFor();
}

/** The first artifact, and a board that everybody finds. */
async function saveBoard(page: Page, take: Take): Promise<void> {
  await main(page).getByRole('link', { name: /^Bugs/ }).click();
  for (const title of [
    'The basket forgets',
    'Coupons expire a day early',
    'Search finds nothing with an accent',
  ]) {
    await page.keyboard.press('c');
    const form = page.getByRole('dialog');
    await form.getByLabel(/^Title/).fill(title);
    await form.getByLabel(/^Title/).press('Control+Enter');
    await page.getByRole('gridcell', { name: title, exact: true }).waitFor();
  }
  await page.keyboard.press('v');
  await page.keyboard.press('b');
  const board = page.getByRole('region', { name: /board/i });
  await board.getByText('The basket forgets').waitFor();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('menuitem', { name: /^Save for everybody/ }).click();
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Board');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/report=\d+/);
  await take(page, 'board');
}

/** A repository in which only members write to the trunk, and everybody reads. */
async function addRepository(page: Page, take: Take): Promise<void> {
  await openPage(page, 'Overview');
  await page.getByRole('link', { name: 'New repository' }).click();
  await page.getByRole('button', { name: 'New repository' }).click();
  const dialog = page.getByRole('dialog', { name: 'New repository' });
  await dialog.getByLabel(/^Name/).fill('shop');
  await dialog.getByRole('button', { name: 'Create repository' }).click();
  await page.getByRole('link', { name: 'branches' }).waitFor();
  await take(page, 'repository');
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByRole('checkbox', { name: /^Every commit names/ }).check({ force: true });
  await take(page, 'commit-rules');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
}

async function addWebhook(page: Page, { receiver }: FirstTeam, take: Take): Promise<void> {
  const address = `http://${receiver}/hook`;
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Add a webhook' });
  await form.getByLabel(/^Address/).fill(address);
  await form.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByRole('region', { name: 'Copy the secret now' }).waitFor();
  await page.getByRole('button', { name: `Deliveries to ${address}` }).click();
  const log = page.getByRole('dialog', { name: `Deliveries to ${address}` });
  await log.getByRole('button', { name: 'Ping' }).click();
  await log.getByText('Delivered').waitFor();
  await take(page, 'webhook');
  await log.getByRole('button', { name: 'Close' }).last().click();
}

/** Everything that the project has, as one file to be kept elsewhere. */
async function keepArchive(page: Page, take: Take): Promise<string> {
  await openPage(page, 'Archive');
  const everything = page.getByRole('link', { name: 'Download: Everything' });
  await everything.waitFor();
  await take(page, 'archive');
  const [download] = await Promise.all([page.waitForEvent('download'), everything.click()]);
  return download.path();
}

/** What whoever was invited finds when they come back. */
async function lookAround(theirs: Page, take: Take): Promise<void> {
  await theirs.reload();
  await main(theirs).getByRole('link', { name: 'Projects', exact: true }).click();
  await theirs
    .getByRole('link', { name: /Web Shop/ })
    .first()
    .click();
  await main(theirs).getByRole('link', { name: /^Bugs/ }).click();
  await theirs.getByRole('gridcell', { name: 'The basket forgets', exact: true }).click();
  await theirs.keyboard.press('o');
  await theirs.getByRole('heading', { name: /The basket forgets/ }).waitFor();
  await take(theirs, 'at-work');
}

/** From the first sign-in to a team that works, by browser alone. Answers with the path of the archive. */
export async function setUpFirstTeam(
  page: Page,
  elsewhere: Elsewhere,
  team: FirstTeam,
  take: Take,
): Promise<{ readonly archive: string }> {
  await signIn(page, team.secret, take);
  await setPlatformUp(page, team, take);
  const theirs = await invite(page, elsewhere, take);
  await createProject(page, take);
  await addMember(page);
  await buildTracker(page, take);
  await addTemplateTracker(page);
  await saveBoard(page, take);
  await addRepository(page, take);
  await main(page).getByRole('link', { name: /^Back/ }).click();
  await openPage(page, 'Settings');
  await openPage(page, 'Webhooks');
  await addWebhook(page, team, take);
  const archive = await keepArchive(page, take);
  await lookAround(theirs, take);
  return { archive };
}
