import { fold, isStorable } from '../../kernel/text.ts';
import type { Condition, Range } from './condition.ts';

export const anything: Condition = { is: 'anything' };
export const nothing: Condition = { is: 'nothing' };

export function not(condition: Condition): Condition {
  if (condition.is === 'anything') return nothing;
  if (condition.is === 'nothing') return anything;
  return condition.is === 'not' ? condition.condition : { is: 'not', condition };
}

/** All of them must hold; none at all always do. */
export function allOf(conditions: readonly Condition[]): Condition {
  const [only = anything, ...more] = conditions;
  return more.length === 0 ? only : { is: 'all of', conditions };
}

/** One of them must hold; of none at all, none does. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const [only = nothing, ...more] = conditions;
  return more.length === 0 ? only : { is: 'any of', conditions };
}

/** A condition on a part of a text. No text has what cannot be stored, and every text has what folding leaves nothing of. */
export function onPart(text: string, condition: (part: string) => Condition): Condition {
  if (!isStorable(text)) return nothing;
  const part = fold(text);
  return part === '' ? anything : condition(part);
}

export const exactly = (number: number): Range => ({ from: number, to: number });
