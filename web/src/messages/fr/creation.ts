import type { creation as en } from '../en/creation.ts';

export const creation: typeof en = {};
