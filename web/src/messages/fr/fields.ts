import type { fields as en } from '../en/fields.ts';

export const fields: typeof en = {};
