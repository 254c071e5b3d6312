/*
 * What somebody is told, to be read, done or put off.
 *
 * page.tsx          read it first; entry.tsx one notification, acts.ts what is done to several, snooze-dialog.tsx
 */

export { InboxPage } from './page.tsx';
