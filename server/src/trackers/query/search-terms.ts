/** Operators of queries, as messages write them. */
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'BETWEEN()' | 'IN()' | 'NOT IN()';

/** A time that is added to now, or taken from it. */
export interface Period {
  readonly count: number;
  readonly unit: 'D' | 'W' | 'M' | 'Y';
}

/** A function that a query compares with. */
export type ComparedFunction =
  | { readonly is: 'now'; readonly shift: Period }
  | { readonly is: 'myself' }
  | { readonly is: 'open' };

/** What a query compares with. Numbers are as they were written. */
export type ComparedValue =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'number'; readonly text: string }
  | ComparedFunction;

/** A comparison of a query: BETWEEN has two values, IN and NOT IN any number, all others one. */
export interface Comparison {
  readonly operator: Operator;
  readonly values: readonly ComparedValue[];
}

export const criterionOperators = ['contains', '=', '<', '>', 'between'] as const;
export type CriterionOperator = (typeof criterionOperators)[number];

/** What one member of the criteria asks of a field. */
export interface Criterion {
  readonly operator: CriterionOperator;
  readonly value: unknown;
}

/** Operators that reports and tables take beside those of their fields, for every type. */
export const furtherOperators = ['not', 'empty', 'filled'] as const;
export type FurtherOperator = (typeof furtherOperators)[number];

/** Stands for whoever looks, in lists of people. */
export const whoAsks = 'me';

/** What one member of the criteria of a report or a table asks of a field. The value is null for `empty` and `filled`. */
export interface ReportCriterion {
  readonly operator: CriterionOperator | FurtherOperator;
  readonly value: unknown;
}
