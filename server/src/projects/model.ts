import { isReservedName } from '../identity/index.ts';
import { invalid, invalidMember, type Refusal } from '../kernel/errors.ts';
import type { Tables } from '../storage/index.ts';

export type ProjectStatus = Tables['project']['status'];
export type AccessLevel = Tables['project']['access'];

/** What the viewer really is in a project; site administrators are not raised here. */
export type Membership = 'none' | 'member' | 'administrator';

/** A project as one viewer sees it. */
export interface Project {
  readonly id: number;
  readonly label: string;
  /** As it was written; the API gives it in lower case. */
  readonly shortname: string;
  readonly description: string;
  readonly status: ProjectStatus;
  readonly access: AccessLevel;
  readonly icon: string;
  readonly isTemplate: boolean;
  /** A JSON object: values of the platform's project fields by field id. */
  readonly fieldValues: string;
  /** The picture above its page. */
  readonly headerBackground: string | null;
  /** The announcement on its pages. */
  readonly banner: string | null;
  readonly membership: Membership;
}

/** Projects of the platform itself have ids up to this one. */
export const lastBuiltInProjectId = 100;
/** The template that every platform has. */
export const defaultTemplateId = 100;

/** Nobody sees a project while it is put together or taken apart. */
export const isHidden = (status: ProjectStatus) => status === 'importing' || status === 'purging';

export const shortnameKey = (shortname: string) => shortname.toLowerCase();
export const isPrivate = (access: AccessLevel) => access === 'private' || access === 'private-wo-restr';

const lengthOf = (text: string) => [...text].length;
const hasControlCharacter = (text: string) => /\p{Cc}/u.test(text);

/** What is wrong with a display name, undefined when nothing is. */
export function labelFault(label: string): Refusal | undefined {
  const length = lengthOf(label);
  if (length < 3) return invalidMember('label', 'It must have at least 3 characters.');
  if (length > 40) return invalidMember('label', 'It must have at most 40 characters.');
  if (hasControlCharacter(label)) return invalidMember('label', 'It must be one line of text.');
  return undefined;
}

/** What can never be a short name; whether it is free is for the store to say. */
export function shortnameFault(shortname: string): Refusal | undefined {
  if (shortname.length < 3) return invalidMember('shortname', 'It must have at least 3 characters.');
  if (shortname.length > 30) return invalidMember('shortname', 'It must have at most 30 characters.');
  if (!/^[A-Za-z0-9]/.test(shortname))
    return invalid(
      'Project shortname is invalid. The reason is: Short name must start with an alphanumeric character.',
    );
  if (!/^[A-Za-z0-9-]+$/.test(shortname))
    return invalidMember('shortname', 'Only letters, digits and "-" are allowed.');
  if (isReservedName(shortname)) return invalidMember('shortname', 'This name is reserved.');
  return undefined;
}

export const longestText = 65_535;

export function descriptionFault(description: string): Refusal | undefined {
  if (description.length <= longestText) return undefined;
  return invalidMember('description', `It must have at most ${longestText} characters.`);
}

// Not a constant: reading the expression takes a fifth of the time that a command takes to begin, and few ask.
const isEmoji = (text: string) => /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic})$/v.test(text);

export function iconFault(icon: string): Refusal | undefined {
  return icon === '' || isEmoji(icon)
    ? undefined
    : invalidMember('icon', 'It must be one emoji, or empty for none.');
}

/** Throws what a check found. */
export function refuse(fault: Refusal | undefined): void {
  if (fault !== undefined) throw fault;
}

export function accessOf(isPublic: boolean, allowRestricted: boolean | null): AccessLevel {
  if (isPublic) return allowRestricted === true ? 'unrestricted' : 'public';
  return allowRestricted === false ? 'private-wo-restr' : 'private';
}
