import type { Tracker } from '@atelier/client/routes';
import { type Choice, type Field, possibleChoices, statusStages } from '../../fields/index.ts';
import type { GraphEdge } from '../../kernel/state-graph.ts';
import type { StatusStage } from '../../ui/index.ts';
import type { FieldSettings } from '../calls.ts';
import { fieldOfSettings } from '../form-elements.ts';

/** A value of the list that the workflow is about. */
export interface State {
  readonly id: number;
  readonly name: string;
  readonly colour: string | null;
  readonly stage: StatusStage | undefined;
  readonly isHidden: boolean;
}

/** A way from one state to another; from null, that of a new artifact. */
export interface Step {
  readonly from: number | null;
  readonly to: number;
}

export interface Flow {
  readonly field: Field;
  readonly settings: FieldSettings;
  readonly states: readonly State[];
  readonly edges: readonly GraphEdge[];
  readonly isUsed: boolean;
  readonly isAdvanced: boolean;
}

function stateOf({ id, name, colour, isHidden }: Choice, stages: ReadonlyMap<string, StatusStage>): State {
  return {
    id: Number(id),
    name,
    colour: colour ?? null,
    stage: stages.get(id),
    isHidden: isHidden === true,
  };
}

/** The workflow of a tracker; undefined where it has none. */
export function flowOf(tracker: Tracker, elements: readonly FieldSettings[]): Flow | undefined {
  const { workflow } = tracker;
  const settings = elements.find(({ field_id: id }) => id === workflow?.field_id);
  if (workflow === null || settings === undefined) return undefined;
  const field = fieldOfSettings(settings);
  const isStatus = tracker.semantics.status?.field_id === field.field_id;
  const stages = isStatus ? statusStages(tracker) : new Map<string, StatusStage>();
  const edges = workflow.transitions.map(({ id, from_id: from, to_id: to }) => ({ id, from, to }));
  const named = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const states = possibleChoices(field).map((choice) => stateOf(choice, stages));
  return {
    field,
    settings,
    // A hidden value stays as long as something leads to it or away from it.
    states: states.filter(({ id, isHidden }) => !isHidden || named.has(id)),
    edges,
    isUsed: workflow.is_used === '1',
    isAdvanced: workflow.is_advanced,
  };
}

export const edgeBetween = ({ edges }: Flow, from: number | null, to: number): GraphEdge | undefined =>
  edges.find((edge) => edge.from === from && edge.to === to);

export const nameOfState = ({ states }: Flow, id: number | null, newWord: string): string =>
  id === null ? newWord : (states.find((state) => state.id === id)?.name ?? `#${id}`);
