import type { BindKind, Field } from '../model.ts';
import type { BindRules } from './bind-rules.ts';
import { staticBind } from './static.ts';
import { ugroupsBind } from './ugroups.ts';
import { usersBind } from './users.ts';

const rules: Readonly<Record<BindKind, BindRules>> = {
  static: staticBind,
  users: usersBind,
  ugroups: ugroupsBind,
};

export const bindKinds: readonly BindKind[] = ['static', 'users', 'ugroups'];

/** The rules of one kind of values. */
export const bindRules = (kind: BindKind): BindRules => rules[kind];

/** The rules of a list's values. A list without a bind is one with no values of its own. */
export const bindOf = ({ bind }: Field): BindRules => rules[bind?.kind ?? 'static'];

export type { BindRules } from './bind-rules.ts';
