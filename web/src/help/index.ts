/*
 * Pages of the documentation in the application, the keys, and every control there is (controls.tsx).
 *
 * page.tsx          read it first; docs.ts, document.tsx the pages, find.tsx words in them, examples.tsx, keys.tsx, licences.tsx
 */

export { ControlsPage } from './controls.tsx';
export { HelpIndexPage, HelpPage } from './page.tsx';
