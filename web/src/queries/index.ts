export type { AskedQuery } from './calls.ts';
export { QueryResult, type QueryResultProps } from './result.tsx';
