import { test } from 'vitest';

/** Whether rare cases are left to `npm test -- --thorough`, as `npm test` leaves them, and whoever names a file or a room does not. */
export const leavesRareCases = process.env['ATELIER_TESTS'] === 'usual';

/** A test of a rare case: what somebody meets once, in one place, while all that the product promises is tested beside it. */
export const thoroughTest = test.skipIf(leavesRareCases);
