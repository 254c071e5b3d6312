/*
 * Artifacts by words, best matches first.
 *
 * find.ts        findByWords: titles, texts, comments and files of everything that the viewer may see
 *                countByWords: how many of them each tracker has
 * titles.ts      searchTitles: a few titles at once, for boxes that complete what is typed
 * conditions.ts  what words ask of each tracker; snippets.ts cuts out a few words around them
 *
 * Nothing is found by words that the viewer may not read.
 */

export { countByWords, findByWords, type WordMatch } from './find.ts';
export { searchTitles } from './titles.ts';
