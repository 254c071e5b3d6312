/*
 * Comes as one part, once a page is there: see guards.ts.
 */

export { keepDroppedFilesOut } from './dropped-files.ts';
export { keepFocusBeside } from './focus-beside.ts';
export { keepFocusInFront } from './overlays/behind.ts';
