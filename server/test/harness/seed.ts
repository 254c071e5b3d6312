const day = 86_400_000;

/**
 * What chance is made from: another one every day, so that tests see more than they did, and the same one at every attempt of a
 * day, so that what they found is found again.
 */
export const seed = Number(process.env['ATELIER_FUZZ_SEED'] ?? Math.floor(Date.now() / day));
