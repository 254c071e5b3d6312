import { Dot, Icon, StatusRing } from '../../ui/index.ts';
import type { State } from './model.ts';

/** A state before its name: a ring where it is the status, else a dot; a plus for what is new. */
export function StateMark({ state }: { readonly state: State | undefined }) {
  if (state === undefined) return <Icon name="plus" size={14} />;
  return state.stage === undefined ? (
    <Dot colour={state.colour} />
  ) : (
    <StatusRing colour={state.colour} stage={state.stage} />
  );
}
