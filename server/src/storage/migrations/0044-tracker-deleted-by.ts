import type { Migration } from './migration.ts';

/** Who deleted a tracker. Of those that were deleted before this was kept, nobody knows. */
export const trackerDeletedBy: Migration = {
  id: 44,
  name: 'tracker-deleted-by',
  statements: ({ columns: { integer } }) => [`alter table tracker add column deleted_by ${integer}`],
};
