export { type ListCriterion, parseCriteria, readCriteria } from './criteria.ts';
export { parseQuery } from './tql/parser.ts';
export { SyntaxFault } from './tql/scanner.ts';
export { type Alternatives, type CrossQuery, costOf, type Query, type Term } from './tql/tree.ts';
