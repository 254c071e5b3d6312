import type { artifact as en } from '../en/artifact.ts';

export const artifact: typeof en = {};
