/*
 * Comes as one part, with the first press or once a page is there: see guards.ts.
 */

export { keepDroppedFilesOut } from './dropped-files.ts';
export { keepFocusBeside } from './focus-beside.ts';
