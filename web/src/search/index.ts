/*
 * Words, looked for everywhere: `/search`. page.tsx (read it first), results.tsx, facets.tsx.
 */

export { SearchPage } from './page.tsx';
