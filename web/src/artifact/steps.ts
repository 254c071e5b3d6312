import { useState } from 'react';
import {
  allowedChoices,
  type Choice,
  chosenIn,
  type Field,
  type FieldValue,
  fieldTypeOf,
  isWorkflowField,
  possibleChoices,
  statusStages,
  transitionsFrom,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { type Begun, type SeenArtifact, useReasonNot, useStore, valueIn } from './seen.ts';
import type { Step } from './step-dialog.tsx';

/** The ways out of the status as it is, and what each of them needs. */
function stepsOf(seen: SeenArtifact, field: Field) {
  const { tracker, place, artifact } = seen;
  const stored = valueIn(artifact, field.field_id);
  const chosen = chosenIn(stored);
  const current = chosen[0];
  const targets = allowedChoices(field, place, possibleChoices(field), chosen).filter(
    (choice) => choice.id !== current?.id,
  );
  const needsOf = (choice: Choice) => {
    if (!isWorkflowField(tracker, field)) return { fields: [], comment: false };
    const transition = transitionsFrom(tracker, stored, false).find(
      ({ to_id: id }) => String(id) === choice.id,
    );
    return neededBy(transition, seen);
  };
  const valueWith = (choice: Choice): FieldValue => ({
    field_id: field.field_id,
    type: field.type,
    label: field.label,
    values: [choice.source],
    bind_value_ids: [Number(choice.id)],
  });
  return { current, targets, needsOf, valueWith };
}

/** Where the workflow leads from here, and what each way asks for. */
export function useSteps(seen: SeenArtifact, field: Field) {
  const { artifact: words } = useMessages();
  const store = useStore(seen);
  const [step, setStep] = useState<Step | null>(null);
  const { current, targets, needsOf, valueWith } = stepsOf(seen, field);
  const take = (choice: Choice, begun?: Begun) => {
    const needs = needsOf(choice);
    if (needs.fields.length === 0 && !needs.comment) store(field, valueWith(choice), begun);
    else setStep({ field, value: valueWith(choice), name: choice.name, ...needs });
  };
  /** In words; undefined where a press is enough. */
  const asksFor = (choice: Choice): string | undefined => {
    const { fields, comment } = needsOf(choice);
    const what = [...fields.map(({ label }) => label), ...(comment ? [words.aComment] : [])];
    return what.length === 0 ? undefined : words.asksFor(what.join(', '));
  };
  return { current, targets, take, asksFor, step, closeStep: () => setStep(null) };
}

/** Values that close an open artifact and ask for nothing but a comment: a comment may bring them along. */
export function useClosingSteps(
  seen: SeenArtifact,
  field: Field | undefined,
): readonly { readonly choice: Choice; readonly value: FieldValue }[] {
  const reasonNot = useReasonNot();
  if (field === undefined || !seen.artifact.is_open || reasonNot(seen, field) !== null) return [];
  const stages = statusStages(seen.tracker);
  const { targets, needsOf, valueWith } = stepsOf(seen, field);
  const isClosing = ({ id }: Choice) => stages.get(id) === 'done' || stages.get(id) === 'dropped';
  return targets
    .filter((choice) => isClosing(choice) && needsOf(choice).fields.length === 0)
    .map((choice) => ({ choice, value: valueWith(choice) }));
}

type Needing = Readonly<Record<string, unknown>>;

/** Fields that are still empty and must not be, and whether a comment is asked for. */
function neededBy(transition: Needing | undefined, { tracker, artifact }: SeenArtifact) {
  const ids = Array.isArray(transition?.['not_empty_field_ids']) ? transition['not_empty_field_ids'] : [];
  const fields = tracker.fields.filter(
    ({ field_id: id, type }) => ids.includes(id) && fieldTypeOf(type).isEmpty(valueIn(artifact, id)),
  );
  return { fields, comment: transition?.['is_comment_required'] === true };
}
