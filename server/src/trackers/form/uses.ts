import { invalid } from '../../kernel/errors.ts';
import type { Field, SemanticName, Tracker } from '../model.ts';
import { type Governing, governingUses, useOfField, useOfValue } from '../workflow/index.ts';

const namesFields = (member: string) => /[fF]ieldIds?$/.test(member);

function restsOn(semantic: object, fieldId: number): boolean {
  return Object.entries(semantic).some(
    ([member, value]) => namesFields(member) && [value].flat().includes(fieldId),
  );
}

const semanticsOn = ({ semantics }: Tracker, fieldId: number): SemanticName[] =>
  Object.entries(semantics)
    .filter(([, semantic]) => restsOn(semantic, fieldId))
    .map(([name]) => name as SemanticName);

function semanticOn(tracker: Tracker, fieldId: number): string | undefined {
  const [name] = semanticsOn(tracker, fieldId);
  return name && `the semantic ${name}`;
}

const holdsSomething = ({ elements }: Tracker, { id }: Field) =>
  elements.some(({ parentId, isUsed }) => parentId === id && isUsed);

/** What keeps an element in the form, in words. */
function obstacleTo(tracker: Tracker, field: Field): string | undefined {
  const use = semanticOn(tracker, field.id) ?? useOfField(tracker, field.id);
  if (use !== undefined) return `"${field.label}" is used by ${use} and cannot be removed.`;
  return holdsSomething(tracker, field) ? `"${field.label}" is not empty and cannot be removed.` : undefined;
}

/** Refuses to take an element out of the form while something rests on it. */
export function requireUnused(tracker: Tracker, field: Field): void {
  const obstacle = obstacleTo(tracker, field);
  if (obstacle !== undefined) throw invalid(obstacle);
}

function semanticOnValue({ semantics: { status, done } }: Tracker, field: Field, id: number) {
  if (status?.fieldId !== field.id) return undefined;
  if (status.openIds.includes(id)) return 'the semantic status';
  return done?.valueIds.includes(id) ? 'the semantic done' : undefined;
}

function obstacleToValue(tracker: Tracker, field: Field, id: number): string | undefined {
  const use = semanticOnValue(tracker, field, id) ?? useOfValue(tracker, field.id, id);
  return use && `The value is used by ${use} and cannot be removed.`;
}

/** As `requireUnused`, for a value of a list. */
export function requireUnusedValue(tracker: Tracker, field: Field, id: number): void {
  const obstacle = obstacleToValue(tracker, field, id);
  if (obstacle !== undefined) throw invalid(obstacle);
}

/** Refused to those who would remove a value that an artifact has. */
export const chosenValueObstacle = (label: string): string =>
  `Artifacts have the value "${label}": hide it instead of removing it.`;

/** What rests on an element of the form. */
export interface ElementUses extends Governing {
  readonly semantics: readonly SemanticName[];
  readonly obstacle: string | undefined;
  /** Values of a list that cannot be removed because of what the tracker is. */
  readonly valueObstacles: ReadonlyMap<number, string>;
}

export function usesOf(tracker: Tracker, field: Field): ElementUses {
  const obstacles = (field.bind?.values ?? []).flatMap(({ id }) => {
    const obstacle = obstacleToValue(tracker, field, id);
    return obstacle === undefined ? [] : [[id, obstacle] as const];
  });
  return {
    ...governingUses(tracker, field.id),
    semantics: semanticsOn(tracker, field.id),
    obstacle: obstacleTo(tracker, field),
    valueObstacles: new Map(obstacles),
  };
}
