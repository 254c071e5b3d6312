import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** What README and docs show. */
export const picturesFolder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

/** Keeps a page as a small picture: pages have few colours. */
export async function takeSmall(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const bytes = await page.screenshot();
  await sharp(bytes)
    .png({ palette: true, colours: 96, compressionLevel: 9, effort: 10 })
    .toFile(join(picturesFolder, `first-team-${name}.png`));
}
