/*
 * The language between those who ask and the search index: condition.ts is what an artifact must be, combine.ts puts conditions together, search-terms.ts is what
 * criteria and queries say before a field has made a condition of it. Pure data.
 */

export { allOf, anyOf, anything, exactly, not, nothing, onPart } from './combine.ts';
export type { Condition, Fact, LinkEnd, Range } from './condition.ts';
export {
  type ComparedFunction,
  type ComparedValue,
  type Comparison,
  type Criterion,
  type CriterionOperator,
  criterionOperators,
  type FurtherOperator,
  furtherOperators,
  type Operator,
  type Period,
  type ReportCriterion,
  whoAsks,
} from './search-terms.ts';
