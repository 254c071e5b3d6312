import { isAbsolute } from 'node:path';
import { invalid } from '../kernel/errors.ts';
import { booleanIn } from '../kernel/values.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { recordDifference } from './platform-events.ts';
import { requireSiteAdministrator } from './policy.ts';

type SettingValue = string | number | boolean;

interface Definition<Value extends SettingValue> {
  readonly default: Value;
  readonly description: string;
  /** The value in its own type, or undefined when it is not one. */
  readonly read: (input: unknown) => Value | undefined;
  /** What values there are, in words for a person. */
  readonly accepts: string;
  /** All values, where they are few. */
  readonly choices?: readonly string[];
  /** What cannot be chosen any more; where it was stored before, what is right in it still holds. */
  readonly isRefused?: (value: Value) => boolean;
}

function flag(byDefault: boolean, description: string): Definition<boolean> {
  return { default: byDefault, description, read: booleanIn, accepts: 'true or false' };
}

function count(
  byDefault: number,
  description: string,
  maximum = 1_000_000_000,
  minimum = 0,
): Definition<number> {
  const read = (input: unknown) => {
    if (typeof input !== 'number' && typeof input !== 'string') return undefined;
    const text = String(input).trim();
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  };
  return { default: byDefault, description, read, accepts: `a whole number from ${minimum} to ${maximum}` };
}

function text(byDefault: string, description: string): Definition<string> {
  const read = (input: unknown) =>
    typeof input === 'string' && input.length <= 1000 ? input.trim() : undefined;
  return { default: byDefault, description, read, accepts: 'a text of at most 1000 characters' };
}

/** `host`, or `host:port`, as addresses have it: without a scheme, a path, or a star for many. */
const hostForm = /^(?:\[[\da-f:.]+\]|[^\s/:@?#*[\]\\]+)(?::\d+)?$/i;

function hosts(description: string): Definition<string> {
  const isHost = (entry: string) => hostForm.test(entry) && URL.canParse(`http://${entry}`);
  return {
    ...text('', description),
    accepts: 'hosts as host or host:port, separated by commas, without http:// and paths, or nothing',
    isRefused: (value) =>
      value
        .split(/[\s,]+/)
        .filter((entry) => entry !== '')
        .some((entry) => !isHost(entry)),
  };
}

function folder(description: string): Definition<string> {
  const read = (input: unknown) => {
    const path = typeof input === 'string' && input.length <= 1000 ? input.trim() : undefined;
    return path === undefined || path === '' || isAbsolute(path) ? path : undefined;
  };
  return {
    default: '',
    description,
    read,
    accepts: 'an absolute path of at most 1000 characters, or nothing',
  };
}

function oneOf<const Values extends readonly string[]>(
  values: Values,
  description: string,
): Definition<Values[number]> {
  const read = (input: unknown): Values[number] | undefined => values.find((value) => value === input);
  const [first] = values;
  if (first === undefined) throw new Error('A choice needs values.');
  return { default: first, description, read, accepts: `one of ${values.join(', ')}`, choices: values };
}

/** Every setting of the platform that can be changed while it runs. */
export const settingDefinitions = {
  access_mode: oneOf(
    ['anonymous', 'regular', 'restricted'],
    'Who gets in. anonymous: everybody reads public projects without an account. regular: closed to all without an account, who get 401 on ' +
      'everything but signing in, the version and health. restricted: as regular, and restricted accounts see only projects that they are in or that admit them',
  ),
  project_registration: oneOf(
    ['everyone', 'administrators'],
    'Who may create projects; administrators: closed to everybody but site administrators, who get 403',
  ),
  project_approval: flag(false, 'New projects wait for the approval of a site administrator'),
  project_visibility_choice: flag(true, 'People choose the visibility of the projects they create'),
  project_default_access: oneOf(
    ['public', 'private'],
    'Visibility of a new project where people cannot choose',
  ),
  project_description_mandatory: flag(false, 'A new project needs a description'),
  project_purge_delay: count(
    30,
    'Days after which nothing is left of a deleted project; 0: only when somebody asks for it',
    36_500,
  ),
  restricted_users_create_projects: flag(false, 'Restricted accounts may create projects'),
  pending_projects_limit: count(100, 'Projects that may wait for approval on the platform; 0 is no limit'),
  pending_projects_limit_per_user: count(
    10,
    'Projects of one person that may wait for approval; 0 is no limit',
  ),
  artifact_deletion_limit: count(5, 'Artifacts one person may delete in 24 hours; 0 switches deletion off'),
  archive_deleted_items: flag(true, 'Deleted artifacts are archived first, and can be brought back'),
  archive_deleted_items_path: folder(
    'Folder of the archives of deleted items; empty: a folder in the data folder of the platform',
  ),
  file_deletion_delay: count(
    3,
    'Days that a temporary file is kept after its last chunk, and a deleted repository after its deletion',
    3650,
    1,
  ),
  password_min_length: count(8, 'Shortest password', 1024),
  password_lifetime_days: count(0, 'Days after which a password must be changed; 0 is never', 36_500),
  access_key_use_interval: count(3600, 'Seconds between two records of the last use of an access key'),
  login_account_attempts: count(10, 'Wrong passwords for one account before it must wait'),
  login_address_attempts: count(100, 'Wrong passwords from one address before it must wait'),
  login_wait_seconds: count(300, 'How long wrong passwords are remembered'),
  session_lifetime_days: count(14, 'Days a web session lasts', 3650),
  registered_users_label: text('', 'Name of the group of registered users, when not the usual one'),
  authenticated_users_label: text(
    '',
    'Name of the group of registered and restricted users, when not the usual one',
  ),
  run_job_hosts: hosts(
    'Build servers that workflows may call, as host or host:port, separated by commas; none: no calls',
  ),
  query_complexity_limit: count(30, 'How complex a query may be, from 1 to 80; 0 is no limit', 80),
  query_tracker_limit: count(0, 'Trackers that one query may look through; 0 is no limit'),
  query_column_limit: count(0, 'Columns that one query may select; 0 is no limit'),
  webhook_hosts: hosts(
    'Private hosts that webhooks may call, as host or host:port, separated by commas; public ones need no mention',
  ),
  secure_mail: flag(
    false,
    'Mails about commits to private projects go only to people with an account who may look into them',
  ),
  plugin_svn_file_size_limit: count(
    50,
    'Mebibytes of one file that somebody commits to a repository; 0 is no limit',
    1_000_000,
  ),
  allow_empty_svn_commit_message: flag(true, 'Commits to repositories need no message'),
  svn_deletion_delay: count(5, 'Minutes before a repository that somebody deletes is gone', 1_000_000),
  disabled_services: text('', 'Short names of project services that are switched off, separated by commas'),
} as const;

export type SettingName = keyof typeof settingDefinitions;
type ValueOf<D> = D extends Definition<infer Value> ? Value : never;
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof settingDefinitions)[Name]> };

const names = Object.keys(settingDefinitions) as SettingName[];
const definitionOf = (name: SettingName): Definition<SettingValue> =>
  settingDefinitions[name] as Definition<SettingValue>;
const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingDefinitions, name);

export async function readSettings(reader: Reader): Promise<Settings> {
  const rows = await reader.all(reader.sql.selectFrom('setting').selectAll());
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  const entries = names.map((name) => {
    const definition = definitionOf(name);
    return [name, definition.read(stored.get(name)) ?? definition.default];
  });
  return Object.fromEntries(entries) as Settings;
}

export interface SettingDescription {
  readonly name: string;
  readonly value: SettingValue;
  readonly default: SettingValue;
  readonly description: string;
  readonly choices: string[] | null;
}

export async function describeSettings(reader: Reader, viewer: Viewer): Promise<SettingDescription[]> {
  requireSiteAdministrator(viewer);
  const settings = await readSettings(reader);
  return names.map((name) => {
    const { default: byDefault, description, choices } = definitionOf(name);
    const all = choices === undefined ? null : [...choices];
    return { name, value: settings[name], default: byDefault, description, choices: all };
  });
}

function checked(name: string, input: unknown): SettingValue {
  if (!isSettingName(name)) throw invalid(`There is no setting \`${name}\`. There are: ${names.join(', ')}.`);
  const definition = definitionOf(name);
  const value = definition.read(input);
  if (value === undefined || definition.isRefused?.(value))
    throw invalid(`Invalid value specified for \`${name}\`. Expecting ${definition.accepts}.`);
  return value;
}

export async function changeSettings(
  tx: Transaction,
  viewer: Viewer,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  requireSiteAdministrator(viewer);
  const present = new Map(Object.entries(await readSettings(tx)));
  for (const [name, input] of Object.entries(changes)) {
    const value = String(checked(name, input));
    const details = { before: String(present.get(name)), after: value };
    await recordDifference(tx, viewer.userId, { kind: 'setting_change', subject: name, details });
    const insert = tx.sql.insertInto('setting').values({ name, value });
    await tx.run(insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })));
  }
  await tx.touch('identity');
}
