/*
 * The artifacts of one tracker as a table.
 *
 * find.ts    a sorted page and its exact number; order.ts by which columns
 * counts.ts  how many there are of each value or in each span of days
 */

export { type CountBucket, type Counts, type CountsBy, countBuckets, parentName } from './counts.ts';
export { findSorted } from './find.ts';
export { tableOrder } from './order.ts';
