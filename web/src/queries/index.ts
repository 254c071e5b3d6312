export type { AskedQuery } from './calls.ts';
export { QueryPage } from './page.tsx';
export { QueryResult, type QueryResultProps } from './result.tsx';
