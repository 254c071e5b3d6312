import { invalid, type Refusal, refuseTogether } from '../../kernel/errors.ts';
import {
  brokenRules,
  type Field,
  labelOfState,
  nameOfStep,
  type Step,
  type Stored,
  stepOf,
  type Tracker,
  valuesSetBy,
} from '../../trackers/index.ts';
import { type ArtifactRow, type Document, factsOf, isSameValue } from '../model.ts';
import { findLinks } from '../store.ts';
import type { Change } from './change.ts';
import type { Changes } from './changes.ts';
import type { WantedJob } from './ci-jobs.ts';
import { faultOf } from './input.ts';

const governed: unique symbol = Symbol('governed');

/**
 * Changes that the workflow and the rules of the tracker were asked about. Nothing else can be saved, so no way of
 * writing artifacts goes past them.
 */
export interface GovernedChanges extends Changes {
  readonly jobs: readonly WantedJob[];
  readonly [governed]: true;
}

/** For what no workflow is asked about: imports, moves, links that change at their other end, comments alone. */
export const ungoverned = (changes: Changes): GovernedChanges => ({ ...changes, jobs: [], [governed]: true });

/** Who changes an artifact, as far as workflows ask. */
export interface Actor {
  isIn(groups: readonly number[]): boolean;
  /** Whether they may know of a field, and what messages to them call it. */
  knows(field: Field): boolean;
  nameOf(field: Field): string;
}

/** Triggers act for nobody, and may take every transition that there is. */
export const engine: Actor = { isIn: () => true, knows: () => false, nameOf: ({ id }) => `#${id}` };

/** The artifact before the change; it has no row while it is being made. */
export interface Subject {
  readonly row: ArtifactRow | undefined;
  readonly document: Document;
}

interface Proposal {
  readonly change: Change;
  readonly tracker: Tracker;
  readonly actor: Actor;
  readonly subject: Subject;
  readonly changes: Changes;
  readonly at: number;
}

async function hasLinks({ change, subject, changes }: Proposal): Promise<boolean> {
  if (changes.links !== undefined) return changes.links.length > 0;
  if (subject.row === undefined) return false;
  const links = await findLinks(change.context.tx, [subject.row.id]);
  return links.some(({ is_forward }) => is_forward === 1);
}

async function isFilled(field: Field, proposal: Proposal): Promise<boolean> {
  if (field.type.acceptLinks !== undefined) return hasLinks(proposal);
  const { changes, subject } = proposal;
  const value = changes.values.has(field) ? changes.values.get(field) : subject.document[field.id];
  return value !== undefined && field.type.value?.isEmpty?.(value) !== true;
}

/** A default is a step, too, of a field that whoever makes the artifact may know nothing of. */
const stepFor = ({ knows, nameOf }: Actor, step: Step) =>
  knows(step.field) ? nameOfStep(step) : `the field ${nameOf(step.field)}`;

async function emptyFaults(step: Step, ids: readonly number[], proposal: Proposal): Promise<Refusal[]> {
  const { actor } = proposal;
  const faults: Refusal[] = [];
  for (const id of ids) {
    const field = proposal.tracker.elementById.get(id);
    if (field?.isUsed && !(await isFilled(field, proposal)))
      faults.push(
        faultOf(
          field,
          `The field ${actor.nameOf(field)}${actor.knows(field) ? ` (${field.name})` : ''} must not be empty to change ${stepFor(actor, step)}.`,
        ),
      );
  }
  return faults;
}

/** Why a step cannot be taken: the first condition that does not hold. */
async function stepFaults(step: Step, proposal: Proposal): Promise<Refusal[]> {
  const { transition } = step;
  const named = stepFor(proposal.actor, step);
  const refused = (words: string) => [faultOf(step.field, `${words} change ${named}.`)];
  if (transition === undefined) return refused('The workflow does not let anybody');
  if (!proposal.actor.isIn(transition.groups)) return refused('You are not allowed to');
  const empty = await emptyFaults(step, transition.notEmptyIds, proposal);
  if (empty.length > 0) return empty;
  const lacksComment = transition.isCommentRequired && proposal.changes.comment === undefined;
  return lacksComment ? refused('A comment is needed to') : [];
}

/** The values with those that the transition sets, whatever was sent for them. */
function withActions(step: Step, { tracker, subject, changes, at }: Proposal): Changes['values'] {
  if (step.transition === undefined) return changes.values;
  const values = new Map(changes.values);
  for (const [field, value] of valuesSetBy(tracker, step.transition, at)) {
    if (isSameValue(field, subject.document[field.id], value)) values.delete(field);
    else values.set(field, value);
  }
  return values;
}

function jobsOf(step: Step): WantedJob[] {
  const actions = step.transition?.actions ?? [];
  const state = labelOfState(step, step.toId);
  return actions.flatMap((action) => (action.type === 'run_job' ? { url: action.url, state } : []));
}

/** What is known of the artifact after the change, by which rules compare. */
function factsAfter({ change, subject: { row }, at }: Proposal) {
  const by = change.context.viewer.userId;
  if (row !== undefined) return { ...factsOf(row), modifiedBy: by, modifiedOn: at };
  return { id: 0, number: 0, rank: 0, submittedBy: by, submittedOn: at, modifiedBy: by, modifiedOn: at };
}

function checkRules(proposal: Proposal, values: Changes['values']): void {
  const { tracker, subject } = proposal;
  const { dates, dependencies } = tracker.rules;
  if (values.size === 0 || dates.length + dependencies.length === 0) return;
  const after: Record<string, Stored> = { ...subject.document };
  for (const [field, value] of values) after[field.id] = value;
  refuseTogether(
    brokenRules(tracker, { values: after, facts: factsAfter(proposal) }, proposal.actor.nameOf).map(invalid),
  );
}

/** Asks the workflow and the rules about changes, and lets the transition that they take do its part. */
export async function govern(proposal: Proposal): Promise<GovernedChanges> {
  const { tracker, subject, changes } = proposal;
  const step = stepOf(tracker, subject.document, changes.values);
  if (step?.isEnforced) refuseTogether(await stepFaults(step, proposal));
  const values = step === undefined ? changes.values : withActions(step, proposal);
  checkRules(proposal, values);
  return { ...changes, values, jobs: step === undefined ? [] : jobsOf(step), [governed]: true };
}
