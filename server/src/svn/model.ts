import type { Instant } from '../kernel/clock.ts';
import { invalid, Refusal } from '../kernel/errors.ts';
import type { Project } from '../projects/index.ts';
import type { ImmutableTags } from './immutable-tags.ts';

/** The tool of a project that has repositories. */
export const svnService = 'plugin_svn';

export interface CommitRules {
  readonly isReferenceMandatory: boolean;
  readonly isMessageChangeAllowed: boolean;
}

/** Who hears of commits below a path. */
export interface Notification {
  readonly path: string;
  readonly emails: readonly string[];
  readonly users: readonly number[];
  /** Groups that the project defines, and 3 and 4 for its members and administrators. */
  readonly groups: readonly number[];
}

export interface RepositorySettings {
  readonly commitRules: CommitRules;
  readonly immutableTags: ImmutableTags;
  /** What the project wrote into the access file. */
  readonly accessText: string;
  readonly notifications: readonly Notification[];
  readonly hasDefaultPermissions: boolean;
}

export interface Repository {
  readonly id: number;
  readonly project: Project;
  readonly name: string;
  readonly lastCommitAt: Instant | null;
  /** When it will be deleted, once somebody asked for it. */
  readonly deletionDueAt: Instant | null;
}

export const defaultSettings: RepositorySettings = {
  commitRules: { isReferenceMandatory: false, isMessageChangeAllowed: false },
  immutableTags: { paths: [], whitelist: [] },
  accessText: '',
  notifications: [],
  hasDefaultPermissions: true,
};

const nameForm = /^[A-Za-z][A-Za-z0-9._-]{2,254}$/;

export const repositoryNameKey = (name: string) => name.toLowerCase();

export function repositoryNameFault(name: string): Refusal | undefined {
  if (nameForm.test(name)) return undefined;
  return new Refusal(
    'conflict',
    'A repository name has 3 to 255 characters: letters, digits, ".", "_" and "-", and a letter first.',
  );
}

export const nameTaken = (name: string) =>
  new Refusal('conflict', `The name ${name} is already used in this project.`);

const longestList = 65_535;

/** Refuses lists that are too long to be kept. */
export function checkImmutableTags({ paths, whitelist }: ImmutableTags): void {
  for (const [member, list] of Object.entries({ paths, whitelist })) {
    if (Buffer.byteLength(list.join('\n')) <= longestList) continue;
    throw invalid(`\`settings[immutable_tags][${member}]\` is longer than ${longestList} bytes.`);
  }
}

/** One path a line: what is read back is what was kept. */
export const trimmedTags = ({ paths, whitelist }: ImmutableTags): ImmutableTags => {
  const trimmed = (list: readonly string[]) =>
    list.flatMap((path) => path.split('\n')).flatMap((path) => path.trim() || []);
  return { paths: trimmed(paths), whitelist: trimmed(whitelist) };
};

const mostFolders = 10_000;

/** The folders of a first commit, each after the one it lies in. */
export function layoutFolders(layout: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of layout) {
    const segments: string[] = [];
    for (const segment of path.split('/')) {
      if (segment === '' || segment === '.') continue;
      if (segment !== '..') segments.push(segment);
      else if (segments.pop() === undefined)
        throw invalid(`\`settings[layout]\`: "${path}" leads out of the repository.`);
    }
    if (/\p{Cc}/u.test(path)) throw invalid('`settings[layout]`: a path is one line of text.');
    for (const depth of segments.keys()) folders.add(segments.slice(0, depth + 1).join('/'));
    if (folders.size > mostFolders)
      throw invalid(`\`settings[layout]\` has more than ${mostFolders} folders.`);
  }
  return [...folders];
}
