import { fold, isStorable } from '../../kernel/text.ts';
import { noneValue, type Tracker } from '../model.ts';
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

/** Artifacts that are open: those of a tracker without a status all are, and those without a value where None is among the open values. */
export function isOpenCondition({ semantics: { status } }: Pick<Tracker, 'semantics'>): Condition {
  if (status === undefined) return anything;
  const { fieldId, openIds } = status;
  const listed: Condition = { is: 'listed', fieldId, entries: openIds.filter((id) => id !== noneValue) };
  return openIds.includes(noneValue) ? anyOf([listed, not({ is: 'filled', fieldId })]) : listed;
}
