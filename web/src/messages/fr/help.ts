import type { help as en } from '../en/help.ts';

export const help: typeof en = {};
