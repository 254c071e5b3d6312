import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { goInside } from './harness/inside.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** Of the demo project. */
const bugs = 5;

const addressOf = (tql: string) => `/query?tql=${encodeURIComponent(tql)}`;

const openOnes =
  'SELECT @pretty_title, @status, @assigned_to, @last_update_date\nFROM @project = MY_PROJECTS()\nWHERE @status = OPEN()\nORDER BY @last_update_date DESC';

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Text' });

/** The text of the query as it stands in the editor. */
const textOf = async (page: Page): Promise<string> =>
  (await editorOf(page).locator('.cm-line').allTextContents()).join('\n');

/** Writes a query in place of what stands there. */
async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

describe.skipIf(lacksBrowser)('queries over several trackers', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const countOf = async (login: string, tql: string): Promise<number> => {
    const query = encodeURIComponent(JSON.stringify({ tql_query: tql }));
    const { status, text, headers } = await site
      .as(login)
      .get(`/crosstracker_query/content?query=${query}&limit=1`);
    expect(status, text).toBe(200);
    return Number(headers.get('X-PAGINATION-SIZE'));
  };
  const words = (count: number) => (count === 1 ? '1 artifact' : `${count} artifacts`);

  test('P9.3 a query built by hand and by the builder give the same text', async () => {
    const page = await site.visit({ as: 'ada', path: '/query' });
    await page.getByRole('button', { name: 'All that is open' }).click();
    await eventually(async () => expect(new URL(page.url()).searchParams.get('tql')).toBe(openOnes));
    await page
      .getByText(words(await countOf('ada', openOnes)), { exact: true })
      .first()
      .waitFor();
    await eventually(async () => expect(await textOf(page)).toBe(openOnes));

    await page.getByRole('button', { name: 'Add a condition' }).click();
    const second = page.getByRole('group', { name: 'Condition 2' });
    await second.getByRole('button', { name: /What is compared/ }).click();
    await page
      .getByRole('option', { name: /^Title/ })
      .first()
      .click();
    await second.getByRole('textbox', { name: 'Value' }).fill('lamp');
    await page.keyboard.press('Enter');
    const built = openOnes.replace('OPEN()', 'OPEN() AND @title = "lamp"');
    await eventually(async () => expect(await textOf(page)).toBe(built));
    await page
      .getByText(words(await countOf('ada', built)), { exact: true })
      .first()
      .waitFor();

    const byHand =
      'SELECT @title\nFROM @project = MY_PROJECTS() AND @tracker.name = "bug"\nWHERE @status = OPEN() OR @title = "lamp"';
    await write(page, byHand);
    await page.getByRole('radio', { name: 'One is enough', checked: true }).waitFor();
    await page.getByRole('group', { name: 'Condition 2' }).getByRole('textbox', { name: 'Value' }).waitFor();
    expect(
      await page
        .getByRole('group', { name: 'Condition 2' })
        .getByRole('textbox', { name: 'Value' })
        .inputValue(),
    ).toBe('lamp');
    await page
      .getByRole('button', { name: /^Bugs Trackers|Trackers/ })
      .first()
      .waitFor();
    await page.getByRole('radio', { name: 'All must hold' }).click();
    await eventually(async () => expect(await textOf(page)).toBe(byHand.replace(' OR ', ' AND ')));
  });

  test('P9.4 a syntax fault marks line and column; an unknown tracker shows the words of the server', async () => {
    const page = await site.visit({ as: 'ada', path: addressOf(openOnes), expecting: [/400/] });
    await editorOf(page).waitFor();
    await write(page, 'SELECT @title\nFROM @project = MY_PROJECTS()\nWHERE @status == OPEN()');
    await page.getByText(/line 3, column 16/i).waitFor();
    await page.locator('[title*="olumn 16"]').waitFor();
    await page.getByText(/no query that the builder can show/).waitFor();

    await write(page, 'SELECT @title\nFROM @project = MY_PROJECTS()\nWHERE @status = "x"');
    await page.getByText('Status is compared to OPEN() only.').waitFor();

    await write(
      page,
      'SELECT @title\nFROM @project = MY_PROJECTS() AND @tracker.name = "nowhere"\nWHERE @id >= 1',
    );
    await page.keyboard.press('Enter');
    await page.getByText('This query cannot be run').waitFor();
    await page.getByText('No tracker found.').waitFor();
    // The same query would be refused again.
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  thoroughTest('what can be written is offered: words, columns, projects, trackers and values', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    const editor = Promise.withResolvers<void>();
    await page.route('**/assets/query-area-*', (route) => editor.promise.then(() => route.continue()));
    await page.goto(site.url + addressOf(openOnes));
    await editorOf(page).waitFor();
    await write(page, '');
    // Before the editor has arrived, which offers what goes on.
    await page.keyboard.type('sel');
    editor.resolve();
    await page.getByRole('option', { name: 'SELECT' }).click();
    await page.keyboard.type('pretty');
    await page.getByRole('option', { name: /@pretty_title/ }).click();
    await page.keyboard.type('FROM ');
    await page.keyboard.type('@tracker');
    await page.getByRole('option', { name: '@tracker.name' }).click();
    await page.getByRole('option', { name: /bug/ }).first().click();
    await page.keyboard.type(' AND @project = MY');
    await page.getByRole('option', { name: 'MY_PROJECTS()' }).click();
    await page.keyboard.type('WHERE @sta');
    await page.getByRole('option', { name: /@status/ }).click();
    await page.keyboard.type('= ');
    await page.getByRole('option', { name: /OPEN\(\)/ }).click();
    const text =
      'SELECT @pretty_title FROM @tracker.name = "bug" AND @project = MY_PROJECTS() WHERE @status = OPEN()';
    await eventually(async () => expect((await textOf(page)).replaceAll(/\s+/g, ' ').trim()).toBe(text));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(words(await countOf('ada', text)), { exact: true })
      .first()
      .waitFor();
  });

  test('P9.6 a kept query runs after a reload, is seen by members of its project and changed by its administrators', async () => {
    const page = await site.visit({ as: 'ada', path: addressOf(openOnes) });
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Keep as…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('All that is left');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'All that is left' }).waitFor();
    const saved = new URL(page.url()).searchParams.get('saved') ?? '';
    expect(saved).not.toBe('');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'All that is left' }).waitFor();
    await page
      .getByText(words(await countOf('ada', openOnes)), { exact: true })
      .first()
      .waitFor();

    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share with a project…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Left in the project');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Left in the project' }).waitFor();
    const shared = new URL(page.url()).searchParams.get('saved') ?? '';
    expect(shared).not.toBe(saved);

    const other = await site.visit({ as: 'bruno', path: '/query' });
    await other.getByRole('button', { name: 'Kept queries' }).click();
    await other.getByRole('menuitem', { name: 'Left in the project' }).click();
    await other.getByRole('heading', { level: 1, name: 'Left in the project' }).waitFor();
    await other.getByRole('grid').waitFor();
    await other.getByRole('button', { name: 'Keep', exact: true }).click();
    const rename = other.getByRole('menuitem', { name: /Rename…/ });
    await rename.waitFor();
    expect(await rename.getAttribute('aria-disabled')).toBe('true');
    await other.goto(`${site.url}/query?saved=${saved}`);
    await other.getByText('There is no such query').waitFor();

    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(' ');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('Still open');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Still open' }).waitFor();
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“Still open” was deleted.').waitFor();
    expect((await site.as('ada').get(`/crosstracker_query/${shared}/content`)).status).toBe(404);
  });

  thoroughTest(
    'columns are those of SELECT, rows are sorted by their heads, and j, k and o open them beside the table',
    async () => {
      const page = await site.visit({ as: 'ada', path: addressOf(openOnes) });
      const grid = page.getByRole('grid');
      await grid.getByRole('columnheader', { name: 'Assignee' }).waitFor();
      expect(await grid.getByRole('columnheader').allTextContents()).toEqual([
        'Id',
        'Artifact',
        'Status',
        'Assignee',
        'Last update',
        'Links',
      ]);
      await grid.getByRole('button', { name: 'Last update' }).click();
      await eventually(async () => expect(await textOf(page)).toBe(openOnes.replace('DESC', 'ASC')));
      await page.locator('[role=columnheader][aria-sort=ascending]', { hasText: 'Last update' }).waitFor();
      await grid.getByRole('link').first().waitFor();
      await page.locator('main').focus();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      const second = await grid.getByRole('link').nth(1).textContent();
      await eventually(async () =>
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(second),
      );
      await page.keyboard.press('o');
      await page.getByRole('complementary', { name: new RegExp(`${second}$`) }).waitFor();
      expect(new URL(page.url()).searchParams.get('artifact')).toBe(second?.slice(1));
    },
  );

  thoroughTest('what was found is saved as CSV, with the columns that are seen', async () => {
    const page = await site.visit({ as: 'ada', path: addressOf(openOnes) });
    await page.getByRole('grid').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const file = await (await downloading).path();
    const lines = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toBe('\ufeffId,Artifact,Status,Assignee,Last update');
    expect(lines).toHaveLength((await countOf('ada', openOnes)) + 1);
    expect(lines[1]).toMatch(/^\d+,"?\w+ #\d+ .+,.*,\d{4}-\d\d-\d\d \d\d:\d\d$/);
  });

  thoroughTest('what others do is seen without asking again', async () => {
    const text = 'SELECT @title\nFROM @project = MY_PROJECTS()\nWHERE @title = "barnacle"\nORDER BY @id ASC';
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const field = tracker.semantics.title.field_id;
    const say = async (title: string) => {
      const made = await site.admin.post('/artifacts', {
        tracker: { id: bugs },
        values: [{ field_id: field, value: title }],
      });
      expect(made.status, made.text).toBe(201);
    };
    await say('The first barnacle');
    const page = await site.visit({ as: 'ada', path: addressOf(text) });
    await page.waitForResponse((response) => decodeURIComponent(response.url()).includes('projects/101'));
    await page.getByText('1 artifact', { exact: true }).first().waitFor();
    await say('The second barnacle');
    await page.getByRole('grid').getByText('The second barnacle').waitFor();
    await page.getByText('2 artifacts', { exact: true }).first().waitFor();
  });

  test('17.11 queries are reached from the sidebar, by keys and, those that are kept too, from the palette', async () => {
    const page = await site.visit({ as: 'ada', path: '/' });
    await page.getByRole('navigation').getByRole('link', { name: 'Queries' }).click();
    await page.getByText('Ask over several projects and trackers').waitFor();
    await goInside(page, '/projects');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.getByText('Ask over several projects and trackers').waitFor();
    await goInside(page, '/projects');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('queries');
    await page.getByRole('option', { name: /Go to queries over several trackers/ }).click();
    await page.getByText('Ask over several projects and trackers').waitFor();

    // And one that is kept, by its name.
    const { body: widget } = await site.as('ada').post('/crosstracker_widget', { title: 'Mine' });
    const kept = { widget_id: widget.id, title: 'Barnacles of the year', tql_query: openOnes };
    const { body: query } = await site.as('ada').post('/crosstracker_query', kept);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('barnacles');
    await page.getByRole('option', { name: /Barnacles of the year/ }).click();
    await page.waitForURL(`**/query?saved=${query.id}*`);
    await page.waitForFunction(() => document.title.includes('Barnacles of the year'));
    await page
      .getByRole('grid')
      .or(page.getByText(/^\d+ artifacts?/))
      .first()
      .waitFor();
    await site.as('ada').delete(`/crosstracker_query/${query.id}`);
  });

  thoroughTest('the page is for everybody, on every screen and in French', async () => {
    const page = await site.visit({ as: 'ada', path: addressOf(openOnes) });
    await page.getByRole('grid').getByRole('link').first().waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('list', { name: 'Queries' }).getByRole('link').first().waitFor();
    await expectNoSidewaysScrolling(page);
    await page.getByRole('radio', { name: 'Text' }).click();
    await editorOf(page).waitFor();
    await expectNoSidewaysScrolling(page);
    const french = await site.visit({ as: 'ada', path: addressOf(openOnes), language: 'fr' });
    await french.getByRole('grid').getByRole('columnheader', { name: 'Responsable' }).waitFor();
    await french.getByRole('button', { name: 'Exporter en CSV' }).waitFor();
  });

  test('P9.5 1200 results scroll, and their count is exact', async () => {
    for (const part of [0, 400, 800]) {
      const rows = Array.from({ length: 400 }, (_, place) => `Scrolled ${part + place + 1}\n`).join('');
      const made = await site.admin.post(`/trackers/${bugs}/artifacts_import`, { csv: `summary\n${rows}` });
      expect(made.status, made.text).toBe(200);
    }
    const all =
      'SELECT @title, @status\nFROM @project = MY_PROJECTS()\nWHERE @title = "Scrolled "\nORDER BY @id ASC';
    expect(await countOf('ada', all)).toBe(1200);
    const page = await site.visit({ as: 'ada', path: addressOf(all) });
    const grid = page.getByRole('grid');
    await page
      .getByText(/^1[,.\s]?200 artifacts$/)
      .first()
      .waitFor();
    await grid.getByText('Scrolled 1', { exact: true }).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('1201');
    expect(await grid.getByRole('row').count()).toBeLessThan(80);
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await grid.getByText('Scrolled 1200', { exact: true }).waitFor();
    expect(await grid.getByRole('row').count()).toBeLessThan(80);
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await grid.getByText('Scrolled 600', { exact: true }).waitFor();
    await grid.getByRole('link').first().focus();
    await page.keyboard.press('Control+Home');
    await grid.getByText('Scrolled 1', { exact: true }).waitFor();
    await page.keyboard.press('Control+End');
    await grid.getByText('Scrolled 1200', { exact: true }).waitFor();
  });
});
