/*
 * What somebody sets for themselves: `/account/…`.
 *
 * page.tsx          which page an address names: read it first; faults.ts what is told at a field
 * profile.tsx, security.tsx, access-keys.tsx, ssh-keys.tsx, notifications.tsx, appearance.tsx, data.tsx   one page each
 */

export { AccountPage } from './page.tsx';
