/*
 * What somebody is told, to be read, done or put off.
 *
 * page.tsx          read it first; address.ts what an address asks for, filters.tsx, nothing.tsx
 * walk.ts           from entry to entry (entry.tsx); keys.ts the same by keys; acts.ts what is done to several, snooze-dialog.tsx
 */

export { InboxPage } from './page.tsx';
