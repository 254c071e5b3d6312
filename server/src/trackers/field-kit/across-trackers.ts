import type { Family, ShowingContext } from '../field-type.ts';
import type { Field } from '../model.ts';
import { escapeAll } from '../text/index.ts';

const valueCell = (value: string | number | null) => `{"value":${JSON.stringify(value)}}`;

export const numberCell = (value: number | null) => valueCell(value);

/** `html` can be put into a page as it is. */
export const htmlCell = (html: string) => valueCell(html);
export const lineCell = (line: string) => htmlCell(escapeAll(line));

export const dateCell = (value: string | null, withTime: boolean) =>
  `{"value":${JSON.stringify(value)},"with_time":${value !== null && withTime}}`;

export const listCell = (items: readonly string[]) => `{"value":[${items.join(',')}]}`;

export const labelItem = (label: string, color: string | null) => JSON.stringify({ label, color });

type People = Pick<ShowingContext, 'user'>;

const shownPerson = ({ display_name, avatar_url, user_url, is_anonymous }: Record<string, unknown>) =>
  JSON.stringify({ display_name, avatar_url, user_url, is_anonymous });

/** A person as cells show them. */
export const personItem = (id: number, people: People): string => shownPerson(JSON.parse(people.user(id)));

/** Somebody who has no account. */
export const strangerItem = (name: string, people: People): string =>
  shownPerson({ ...JSON.parse(people.user(0)), display_name: name });

const families: Readonly<Record<string, Family>> = {
  static: 'static list',
  users: 'user list',
  ugroups: 'user group list',
};

/** Lists of all types are of one family when their values are of one kind. */
export const familyOfList = ({ bind }: Field): Family => families[bind?.kind ?? 'static'] ?? 'static list';
