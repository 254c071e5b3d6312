/**
 * Every route, and the types of what they take and answer. Inside this repository they are the contract itself; in the built package a file
 * that `bin/build.mjs` writes from it takes this one's place, which needs nothing but the compiler's own types.
 */
export * from '@atelier/contract';
