import { invalid, Refusal } from '../../kernel/errors.ts';
import { foldedPattern } from '../../kernel/patterns.ts';
import type { SearchRules } from '../field-type.ts';
import type { Field } from '../model.ts';
import { allOf, type Condition, not, onPart } from '../query/index.ts';
import { comparedText, comparedToNothing, textual, unlessNegated } from './comparisons.ts';

/** The value of a criterion that is one text or number. */
export function criterionText({ name }: Field, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw invalid(`The field ${name} is searched by a text or a number.`);
}

interface Sought {
  readonly pattern: string;
  readonly isNot: boolean;
}

/** The regular expression that a text is between slashes; `!` before it: what it does not match. */
export function patternIn({ name }: Field, text: string): Sought | undefined {
  const match = /^(!?)\/(.+)\/$/s.exec(text.trim());
  if (match?.[2] === undefined) return undefined;
  try {
    return { pattern: foldedPattern(match[2]), isNot: match[1] === '!' };
  } catch (error) {
    throw error instanceof Refusal ? invalid(`The field ${name} cannot be searched. ${error.detail}`) : error;
  }
}

/** More words are no search that anybody wrote. */
const mostWords = 100;

function textCriterion(field: Field, value: unknown): Condition | undefined {
  const text = criterionText(field, value);
  const sought = patternIn(field, text);
  if (sought !== undefined) return { is: 'matching', fieldId: field.id, ...sought };
  const words = new Set(text.split(/\s+/).filter((word) => word !== ''));
  if (words.size === 0) return undefined;
  if (words.size > mostWords)
    throw invalid(`The field ${field.name} can be searched by at most ${mostWords} words at once.`);
  return allOf(
    [...words].map((word) => onPart(word, (part) => ({ is: 'containing', fieldId: field.id, part }))),
  );
}

const text = { kind: 'text field', ...textual };

/** How fields that hold a text are searched. */
export const textSearch: SearchRules = {
  operators: ['contains'],
  criterion: (field, { value }) => textCriterion(field, value),
  compare(field, comparison) {
    const { id: fieldId } = field;
    if (comparedToNothing(field, comparison, text))
      return unlessNegated(comparison, not({ is: 'filled', fieldId }));
    const sought = comparedText(text.kind, field, comparison);
    return unlessNegated(
      comparison,
      onPart(sought, (part) => ({ is: 'containing', fieldId, part })),
    );
  },
};

const file = { kind: 'file field', ...textual };

/** Attached files are found by their names and descriptions. */
export const fileSearch: SearchRules = {
  operators: ['contains'],
  criterion(field, { value }) {
    const sought = criterionText(field, value);
    return sought === '' ? undefined : onPart(sought, (part) => ({ is: 'file', fieldId: field.id, part }));
  },
  compare(field, comparison) {
    const { id: fieldId } = field;
    if (comparedToNothing(field, comparison, file))
      return unlessNegated(comparison, not({ is: 'filled', fieldId }));
    const sought = comparedText(file.kind, field, comparison);
    return unlessNegated(
      comparison,
      onPart(sought, (part) => ({ is: 'file', fieldId, part })),
    );
  },
};
