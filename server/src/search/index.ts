export { parseCriteria, requireShallow } from './criteria.ts';
export { type Selection, selectedBy } from './selection.ts';
export { conditionOf, fieldCondition, refuseComplex } from './tql/checking.ts';
export { linkCondition } from './tql/links.ts';
export { parseQuery } from './tql/parser.ts';
export { SyntaxFault } from './tql/scanner.ts';
export { type Alternatives, type CrossQuery, costOf, type Query, type Term } from './tql/tree.ts';
