import type { EntryMessages } from './en-entry.ts';
import { signing } from './fr/entry/signing.ts';

export const fr: EntryMessages = { signing };
