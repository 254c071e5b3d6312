import { setImmediate } from 'node:timers/promises';
import { minute } from '../../kernel/clock.ts';
import { KeptAnswers } from './kept.ts';

/** Characters of lists of paths that are remembered. */
const mostKept = 64_000_000;
const keptFor = 10 * minute;

/** All paths of a folder in a revision, a line each; folders end with a slash. */
export class PathLists {
  readonly #kept = new KeptAnswers<string>(mostKept, keptFor);
  readonly #asked = new Map<string, Promise<string>>();

  /** Those who ask for the same at the same time wait for one answer. */
  async of(key: string, read: () => Promise<string>): Promise<string> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const asked = this.#asked.get(key) ?? read().finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    const text = await asked;
    this.#kept.put(key, text, text.length);
    return text;
  }
}

/** Files that are told at the most, and those that are compared before the best of them are. */
const mostTold = 100;
const mostCompared = 5000;

/** Lines that are looked at without a rest for others. */
const stride = 20_000;

function* filesIn(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    at += line.length + 1;
    if (line !== '' && !line.endsWith('/')) yield line.startsWith('/') ? line : `/${line}`;
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** The less, the nearer: a name that begins with the word, then one that has it, then short paths. */
const distance = (path: string, word: string) => {
  const at = nameOf(path).indexOf(word);
  return (at === 0 ? 0 : at > 0 ? 100_000 : 200_000) + path.length;
};

/** The files below a folder that have all words in their paths, and one of them in their names, the nearest first. */
export async function matchingFiles(
  text: string,
  { path: folder, words }: { path: string; words: readonly string[] },
  mayRead: (path: string) => Promise<boolean>,
): Promise<{ files: string[]; isCut: boolean }> {
  const wanted = words.map((word) => word.toLowerCase());
  const found: string[] = [];
  let looked = 0;
  for (const path of filesIn(text)) {
    if (++looked % stride === 0) await setImmediate();
    const below = path.slice(folder === '/' ? 0 : folder.length).toLowerCase();
    if (!wanted.every((word) => below.includes(word))) continue;
    const name = nameOf(path);
    const isNamed = wanted.length === 0 || wanted.some((word) => name.includes(word) || word.includes('/'));
    if (isNamed) found.push(path);
    if (found.length > mostCompared) break;
  }
  const first = wanted.at(-1) ?? '';
  const sorted = found.sort((a, b) => distance(a, first) - distance(b, first) || (a < b ? -1 : 1));
  const files: string[] = [];
  for (const path of sorted) {
    if (files.length > mostTold) break;
    if (await mayRead(path)) files.push(path);
  }
  return { files: files.slice(0, mostTold), isCut: files.length > mostTold };
}
