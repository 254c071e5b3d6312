/*
 * The order of all artifacts among each other: `rankArtifacts` (rank.ts) puts some before or after another one. What a rank is, and how room is made between two of
 * them, is in `artifacts/ranks.ts`.
 *
 * A move writes a few rows at the most, however many artifacts there are (decision 18).
 */

export { rankArtifacts } from './rank.ts';
