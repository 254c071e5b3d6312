import { invalid } from '../../kernel/errors.ts';
import type { Field, Tracker } from '../model.ts';
import { useOfField, useOfValue } from '../workflow/index.ts';

const namesFields = (member: string) => /[fF]ieldIds?$/.test(member);

function restsOn(semantic: object, fieldId: number): boolean {
  return Object.entries(semantic).some(
    ([member, value]) => namesFields(member) && [value].flat().includes(fieldId),
  );
}

function semanticOn({ semantics }: Tracker, fieldId: number): string | undefined {
  const found = Object.entries(semantics).find(([, semantic]) => restsOn(semantic, fieldId));
  return found && `the semantic ${found[0]}`;
}

const holdsSomething = ({ elements }: Tracker, { id }: Field) =>
  elements.some(({ parentId, isUsed }) => parentId === id && isUsed);

/** Refuses to take an element out of the form while something rests on it. */
export function requireUnused(tracker: Tracker, field: Field): void {
  const use = semanticOn(tracker, field.id) ?? useOfField(tracker, field.id);
  if (use !== undefined) throw invalid(`"${field.label}" is used by ${use} and cannot be removed.`);
  if (holdsSomething(tracker, field)) throw invalid(`"${field.label}" is not empty and cannot be removed.`);
}

function semanticOnValue({ semantics: { status, done } }: Tracker, field: Field, id: number) {
  if (status?.fieldId !== field.id) return undefined;
  if (status.openIds.includes(id)) return 'the semantic status';
  return done?.valueIds.includes(id) ? 'the semantic done' : undefined;
}

/** As `requireUnused`, for a value of a list. */
export function requireUnusedValue(tracker: Tracker, field: Field, id: number): void {
  const use = semanticOnValue(tracker, field, id) ?? useOfValue(tracker, field.id, id);
  if (use !== undefined) throw invalid(`The value is used by ${use} and cannot be removed.`);
}
