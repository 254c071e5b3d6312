import type { Comparison } from '../../trackers/index.ts';

/** A comparison with what it names: a field, or metadata such as `@comments`. */
export interface NamedComparison extends Comparison {
  readonly is: 'comparison';
  readonly name: string;
}

/** What the other end of a link must be. */
export type WantedEnd =
  | { readonly is: 'anything' }
  | { readonly is: 'artifact'; readonly id: number }
  | { readonly is: 'tracker'; readonly name: string; readonly isNot: boolean };

export interface LinkTerm {
  readonly is: 'link';
  readonly isNot: boolean;
  readonly direction: 'forward' | 'reverse';
  /** Absent: links of any type. */
  readonly type?: string;
  readonly end: WantedEnd;
}

/** Alternatives, one of which must hold. It stands for a parenthesis too. */
export interface Alternatives {
  readonly is: 'alternatives';
  readonly options: readonly (readonly Term[])[];
}

export type Term = NamedComparison | LinkTerm | Alternatives;

/** What FROM says of projects or of trackers. */
export interface FromCondition {
  readonly target: '@project' | '@project.name' | '@project.category' | '@tracker.name';
  readonly operator: '=' | 'IN()';
  /** `MY_PROJECTS()` stands for itself. */
  readonly values: readonly string[] | 'mine';
}

/** A query over several trackers. */
export interface CrossQuery {
  readonly select: readonly string[];
  readonly from: readonly FromCondition[];
  readonly where: Alternatives;
  readonly orderBy?: { readonly name: string; readonly isDescending: boolean };
}

/** A query is a bare condition, or one of the form that begins with SELECT. */
export type Query =
  | { readonly form: 'condition'; readonly condition: Alternatives }
  | { readonly form: 'cross-tracker'; readonly query: CrossQuery };

const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0);

const costOfTerm = (term: Term): number => (term.is === 'alternatives' ? costOf(term) : 1);

/** How complex a condition is: each term counts, and each AND and OR, and each group of them. */
export function costOf({ options }: Alternatives): number {
  return sum(options.map((terms) => 1 + sum(terms.map((term) => 1 + costOfTerm(term)))));
}

/** Every comparison and link condition, in the order of the text. */
export function leavesOf({ options }: Alternatives): (NamedComparison | LinkTerm)[] {
  return options.flat().flatMap((term) => (term.is === 'alternatives' ? leavesOf(term) : [term]));
}
