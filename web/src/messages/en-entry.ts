import { signing } from './en/entry/signing.ts';

/** Words for those who are not in yet: the page on which they sign in has no others of its own. */
export const en = { signing };

export type EntryMessages = typeof en;
