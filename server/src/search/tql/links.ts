import { invalid } from '../../kernel/errors.ts';
import { isStorable } from '../../kernel/text.ts';
import { anything, type Condition, type LinkEnd, not, nothing } from '../../trackers/index.ts';
import type { LinkTerm, WantedEnd } from './tree.ts';

/** The end that a query wants; undefined where nothing can be it. */
function endOf(end: WantedEnd): LinkEnd | undefined {
  if (end.is === 'artifact') return Number.isSafeInteger(end.id) ? end : undefined;
  if (end.is === 'tracker' && !isStorable(end.name)) return end.isNot ? { is: 'anything' } : undefined;
  return end;
}

/** What a condition on links means; `types` are the short names of all types of links. */
export function linkCondition(
  { isNot, direction, type, end }: LinkTerm,
  types: readonly string[],
): Condition {
  if (isNot && end.is === 'tracker' && end.isNot)
    throw invalid(
      "Double negative: a condition that asks for no link cannot have TRACKER !=. Write TRACKER = '…' instead.",
    );
  if (type !== undefined && !types.includes(type))
    throw invalid(`Link type '${type}' is invalid. Available types: ${types.join(', ')}.`);
  const wanted = endOf(end);
  if (wanted === undefined) return isNot ? anything : nothing;
  const linked: Condition = {
    is: 'linked',
    direction,
    ...(type === undefined ? {} : { type }),
    end: wanted,
  };
  return isNot ? not(linked) : linked;
}
