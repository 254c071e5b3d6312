import type { Random } from './random.ts';

const words = `the login page answers slowly when many people open their reports at once and search for older
tickets customer asked whether export keeps accents such as Łódź café naïve after import invoice number missing button
is hidden behind menu on small screens error appears only second time user saves draft without title please check
permissions of project members before release version should not lose changes made by other browser tab timeout
during upload large picture preview shows wrong colour calendar week starts sunday instead monday notification mail
arrives twice link to parent disappears filter forgets choice sorting by date ignores time zone server restarts
database grows faster than expected backup takes hours cache returns old value memory leak found while testing
printer layout cuts last line translation wrong german french spanish keyboard shortcut conflicts copy paste
formatting broken table header scrolls away`.split(/\s+/);

/** Each of them in about one of a hundred titles. */
export const rareWords = `lighthouse walrus quartz zeppelin oboe meadow glacier tulip harpsichord lantern
badger comet saffron thimble viaduct anchor biscuit cactus dolphin ember falcon gherkin hammock igloo jasmine kettle`.split(
  /\s+/,
);
const rareShare = 1 / 4;

const titleLength = 35;
const textLength = 200;

/** Words up to about that length, the first with a capital. */
function sentence(random: Random, length: number): string {
  let text = random.pick(words);
  while (text.length < length - 4) text += ` ${random.pick(words)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function title(random: Random): string {
  if (!random.chance(rareShare)) return sentence(random, titleLength);
  const rare = random.pick(rareWords);
  return `${sentence(random, titleLength - rare.length)} ${rare}`;
}

/** A text as documents keep it. */
export interface StoredText {
  content: string;
  format: 'commonmark';
  html: string;
  /** The version of the renderer that made the HTML. */
  renderer: number;
}

/** A text with a little Markdown in it. */
export function description(random: Random, renderer: number): StoredText {
  const [strong, rest] = [random.pick(words), sentence(random, textLength - 12)];
  return {
    content: `**${strong}**: ${rest}.`,
    format: 'commonmark',
    html: `<p><strong>${strong}</strong>: ${rest}.</p>\n`,
    renderer,
  };
}
