import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalid, invalidMember } from '../kernel/errors.ts';
import { fold } from '../kernel/text.ts';
import type { Viewer } from '../kernel/viewer.ts';

/**
 * A active, R restricted to projects they belong to, P registered but not confirmed, V validated by an administrator,
 * W validated to become restricted, S suspended, D deleted (the record stays for history).
 */
export const statuses = ['A', 'R', 'P', 'V', 'W', 'S', 'D'] as const;
export type Status = (typeof statuses)[number];

export const isStatus = (text: string): text is Status => statuses.some((status) => status === text);
export const isUsable = (status: string) => status === 'A' || status === 'R';

/** The account that stands for "nobody" in user lists of trackers. */
export const noneId = 100;
/** Accounts up to this id belong to the platform itself. */
export const lastTechnicalAccountId = 100;
/** Administrators of this project are site administrators. */
export const administrationProjectId = 1;

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly realName: string;
  readonly email: string;
  readonly ldapId: string | null;
  readonly status: string;
  /** Of the picture that they uploaded. */
  readonly avatarHash: string | null;
}

/** The name as the viewer wants to see names. */
export function displayName(viewer: Viewer, { id, name, realName }: Account): string {
  if (id === noneId) return name;
  switch (viewer.nameDisplay) {
    case '1':
      return `${name} (${realName})`;
    case '2':
      return name;
    case '3':
      return realName;
    default:
      return `${realName} (${name})`;
  }
}

export const nameKey = (name: string) => name.toLowerCase();
/** What a mail address is found by: as databases fold it, who know the letters from a to z alone. */
export const emailKey = (email: string) => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
export const searchText = (name: string, realName: string) => fold(`${name}\n${realName}`);

const reservedNames = new Set(
  [
    'root bin daemon adm lp sync shutdown halt mail uucp operator games mysql httpd nobody dummy apache nscd munin',
    'mailman ftpadmin codendiadm imadmin-bot git gitolite users projects pub lists compile monitor mirror mirrors',
    'webdev slayer orbital tokyojoe cvs none',
  ].flatMap((names) => names.split(' ')),
);
const reservedHost = /^(www|cvs|shell|ftp|irc|news|mail|ns|download)\d?$/;

/** Names that neither a user nor a project may have. */
export function isReservedName(name: string): boolean {
  const key = nameKey(name);
  return reservedNames.has(key) || reservedHost.test(key);
}

const invalidName = (detail: string) => invalidMember('username', detail);

/** Throws when the text can never be a user name; whether it is free is for the store to say. */
export function checkUserName(name: string): void {
  if (name.length < 3) throw invalidName('Name is too short. It must be at least 3 characters.');
  if (name.length > 30) throw invalidName('Name is too long. It must be at most 30 characters.');
  if (!/^[A-Za-z0-9._-]+$/.test(name)) {
    throw invalidName('Illegal character in name. Only letters, digits, "-", "_" and "." are allowed.');
  }
  if (isReservedName(name)) throw invalidName('Name is reserved.');
  if (nameKey(name).startsWith('forge__')) throw invalidName('Name is reserved for technical accounts.');
}

export function checkPassword(password: string, minimalLength: number): void {
  if ([...password].length < minimalLength) {
    throw invalid(
      `Invalid value specified for \`password\`. It must have at least ${minimalLength} characters.`,
    );
  }
  if (password.length > 1024) {
    throw invalid('Invalid value specified for `password`. It must have at most 1024 characters.');
  }
}

/** Where a password ends after some days, the same one does not begin anew. */
export const samePassword = () =>
  invalid('Invalid value specified for `password`. It must be another one than the current one.');

export interface ParsedKey {
  readonly id: number;
  readonly secret: Buffer;
}

const keyForm = /^tlp-k1-(\d{1,15})\.([0-9A-Fa-f]{64})$/;

export function parseKey(text: string): ParsedKey | undefined {
  const match = keyForm.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { id: Number(match[1]), secret: Buffer.from(match[2], 'hex') };
}

export const formatKey = (id: number, secret: Buffer) => `tlp-k1-${id}.${secret.toString('hex')}`;
export const newSecret = () => randomBytes(32);
export const newToken = () => randomBytes(16).toString('hex');
export const digest = (secret: Buffer | string) => hash('sha256', secret, 'hex');

export function isSameDigest(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
