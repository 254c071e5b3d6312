/*
 * The query language: text to conditions. `docs/query-language.md` describes it for people.
 *
 * scanner.ts     words of a text; parser.ts the grammar, a function for each rule; tree.ts what comes out
 * rename.ts      follows fields and values that get other names
 * conditions.ts  what a comparison means for a field: asks the type of the field; links.ts terms about links
 *
 * A text that is no query is refused with where it stops being one and what could stand there.
 */

export {
  commentCondition,
  comments,
  conditionOf,
  fieldCondition,
  refuseComplex,
  trackerCondition,
} from './conditions.ts';
export { linkCondition } from './links.ts';
export { parseQuery } from './parser.ts';
export { relabelledInQuery, renamedInQuery } from './rename.ts';
export { SyntaxFault } from './scanner.ts';
export {
  type Alternatives,
  type CrossQuery,
  costOf,
  type FromCondition,
  type LinkTerm,
  leavesOf,
  type NamedComparison,
  type Query,
  type Term,
} from './tree.ts';
