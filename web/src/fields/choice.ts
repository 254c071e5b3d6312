import type { Person } from '../ui/index.ts';
import { type Field, isMembers, membersIn, numberIn, textIn } from './model.ts';

/** A value of a list: static, a person, a group, or a word that somebody typed. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly colour?: string | null | undefined;
  readonly person?: Person | undefined;
  readonly login?: string | undefined;
  readonly isGroup?: boolean | undefined;
  readonly isHidden?: boolean | undefined;
  /** What the API said about it, to be shown until the server answers. */
  readonly source: Readonly<Record<string, unknown>>;
}

export const NOBODY = '100';

const UPLOADED_PICTURE = /\/users\/[^/]+\/avatar-[^/]+\.png$/;

/** Only pictures that people gave are shown; initials say more than the ones that the server draws. */
export function pictureOf(avatarUrl: unknown): string | null {
  const address = URL.parse(textIn(avatarUrl), location.origin);
  return address !== null && UPLOADED_PICTURE.test(address.pathname) ? address.pathname : null;
}

/** `Ada Moreau (ada)` is `Ada Moreau` where she is among others. */
export const shortName = (displayName: string): string => displayName.replace(/\s+\([^()]*\)$/, '');

export const firstName = (displayName: string): string =>
  shortName(displayName).split(/\s+/)[0] ?? displayName;

type Members = Readonly<Record<string, unknown>>;

export function personOf(user: Members): Person {
  const name = textIn(user['display_name']) || textIn(user['real_name']) || textIn(user['username']);
  return { id: numberIn(user['id']) ?? 0, name: shortName(name), picture: pictureOf(user['avatar_url']) };
}

/** A value as artifacts and rows have it. */
export function choiceOf(value: Members): Choice | null {
  const id = value['id'];
  const name = textIn(value['label']) || textIn(value['display_name']) || textIn(value['real_name']);
  if ('display_name' in value || 'username' in value || 'user_url' in value) {
    if (id === null || id === undefined || String(id) === NOBODY) return null;
    return {
      id: String(id),
      name: shortName(name),
      person: personOf(value),
      login: textIn(value['username']),
      source: value,
    };
  }
  if (id === undefined || String(id) === NOBODY) return null;
  const isGroup = 'short_name' in value || 'users_uri' in value;
  return {
    id: String(id),
    name,
    colour: colourOf(value),
    isGroup,
    isHidden: value['is_hidden'] === true,
    source: value,
  };
}

function colourOf(value: Members): string | null {
  const named = textIn(value['tlp_color']) || textIn(value['value_color']);
  if (named !== '') return named;
  const { color } = value;
  if (typeof color === 'string') return color;
  return isMembers(color) ? hexOf(color) : null;
}

function hexOf(color: Members): string {
  const part = (name: string) => (numberIn(color[name]) ?? 0).toString(16).padStart(2, '0');
  return `#${part('r')}${part('g')}${part('b')}`;
}

export const choicesIn = (values: unknown): Choice[] =>
  membersIn(values).flatMap((value) => choiceOf(value) ?? []);

/** All that can be chosen in a list, in the order of the tracker. */
export function possibleChoices(field: Field): Choice[] {
  return membersIn(field.values).flatMap((value) => {
    const person = value['user_reference'];
    if (isMembers(person))
      return choiceOf({ ...person, display_name: person['real_name'], id: value['id'] }) ?? [];
    const group = value['ugroup_reference'];
    // Artifacts name groups by their own id, searches by that of the value.
    if (isMembers(group)) return choiceOf({ ...group, bind_value_id: value['id'] }) ?? [];
    return choiceOf(value) ?? [];
  });
}

export const isBoundToPeople = (field: Field): boolean => field.bindings.type === 'users';
