/** 0 or 1: SQLite has no boolean, and both engines keep the same values. */
export type Flag = 0 | 1;

export const toFlag = (value: boolean): Flag => (value ? 1 : 0);
