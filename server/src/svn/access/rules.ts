import { membersGroup } from './text.ts';

/** A line of an access file: who gets what, or who is in a group. */
interface Entry {
  readonly name: string;
  readonly value: string;
}

/** The sections of an access file by their headers, without the brackets. */
export type Sections = ReadonlyMap<string, readonly Entry[]>;

/** What a project wrote cannot be read; `line` counts from 1. */
export class AccessTextFault extends Error {
  readonly line: number;
  constructor(line: number, words: string) {
    super(words);
    this.line = line;
  }
}

/** Paths in one form: one slash between names, none at the end. */
const canonicalPath = (path: string) => path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');

/** `[Groups]` is `[groups]`, `[/tags/]` is `[/tags]`, and so is `[/tags] something`. */
function canonicalHeader(header: string): string {
  const lower = header.toLowerCase();
  if (lower === 'groups' || lower === 'aliases') return lower;
  const [, repository = '', path = header] = /^([^/]*:)?(\/.*)$/.exec(header) ?? [];
  return `${repository}${canonicalPath(path)}`;
}

/** Names of people are lower case wherever Subversion compares them; those of groups and aliases are as they are. */
const isPerson = (name: string) => /^~?[^@&$*~]/.test(name);
const asCompared = (name: string) => (isPerson(name) ? name.toLowerCase() : name);
const namesIn = (value: string) =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

type MutableSections = Map<string, Entry[]>;

/** For the same name the later line wins; in groups whoever repeats a name is told so by Subversion. */
function put(sections: MutableSections, header: string, entry: Entry): void {
  const entries = sections.get(header) ?? [];
  const kept = header === 'groups' ? entries : entries.filter(({ name }) => name !== entry.name);
  sections.set(header, [...kept, entry]);
}

/** Reads the part that a project wrote. */
export function readAccessText(text: string): Sections {
  const sections: MutableSections = new Map();
  let header: string | undefined;
  let last: Entry | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const fault = (words: string) => new AccessTextFault(index + 1, words);
    if (line.startsWith('[')) {
      const end = line.indexOf(']');
      if (end === -1) throw fault('A section header ends with "]".');
      header = canonicalHeader(line.slice(1, end).trim());
      if (!sections.has(header)) sections.set(header, []);
      last = undefined;
      continue;
    }
    if (header === undefined) throw fault('A section such as [/] must come first.');
    const [, name, value] = /^([^=:]*?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    const isContinued = /^\s/.test(raw) && last !== undefined;
    if (name !== undefined && value !== undefined && name !== '') last = { name: asCompared(name), value };
    else if (isContinued && last !== undefined) last = { ...last, value: `${last.value} ${line}` };
    else throw fault('A line has a name, "=" and what it gets.');
    if (name === undefined) sections.get(header)?.pop();
    put(sections, header, last);
  }
  return sections;
}

/** What the platform itself says about a repository. */
export interface GeneratedAccess {
  /** Names of people in lower case, by group; without empty groups. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly isPublic: boolean;
  readonly hasDefaultPermissions: boolean;
}

function generatedSections({ groups, isPublic, hasDefaultPermissions }: GeneratedAccess): MutableSections {
  const sections: MutableSections = new Map();
  sections.set(
    'groups',
    [...groups].map(([name, people]) => ({ name, value: people.join(', ') })),
  );
  if (!hasDefaultPermissions) return sections;
  const members = groups.has(membersGroup) ? [{ name: `@${membersGroup}`, value: 'rw' }] : [];
  sections.set('/', [{ name: '*', value: isPublic ? 'r' : '' }, ...members]);
  return sections;
}

const lowerPeople = (value: string) => namesIn(value).map(asCompared).join(', ');

/** All that holds for a repository: what the platform says, and what the project says, which wins. */
export function mergeAccess(generated: GeneratedAccess, own: Sections): Sections {
  const sections = generatedSections(generated);
  for (const [header, entries] of own) {
    if (header === 'groups') {
      const redefined = new Set(entries.map(({ name }) => name));
      const kept = (sections.get(header) ?? []).filter(({ name }) => !redefined.has(name));
      sections.set(header, [
        ...kept,
        ...entries.map(({ name, value }) => ({ name, value: lowerPeople(value) })),
      ]);
      continue;
    }
    if (!sections.has(header)) sections.set(header, []);
    for (const entry of entries) put(sections, header, entry);
  }
  return sections;
}

const groupNamed = (name: string) => /^~?@(.+)$/.exec(name)?.[1];

/** Without what is said about groups that are gone. */
export function withoutLostGroups(sections: Sections): Sections {
  const groups = new Set((sections.get('groups') ?? []).map(({ name }) => name));
  const isLost = (name: string) => {
    const group = groupNamed(name);
    return group !== undefined && !groups.has(group);
  };
  return new Map(
    [...sections].map(([header, entries]) => {
      if (header !== 'groups') return [header, entries.filter(({ name }) => !isLost(name))] as const;
      const kept = entries.map(({ name, value }) => ({
        name,
        value: namesIn(value)
          .filter((one) => !isLost(one))
          .join(', '),
      }));
      return [header, kept] as const;
    }),
  );
}

/** The sections that the platform has something to say in. */
const generatedHeaders = ['groups', '/'];

const blockOf = (header: string, entries: readonly Entry[] = []) =>
  [`[${header}]`, ...entries.map(({ name, value }) => `${name} = ${value}`.trimEnd()), ''].join('\n');

/** The file that Subversion reads. */
export function writeAccessFile(sections: Sections): string {
  const generated = generatedHeaders.filter((header) => sections.has(header));
  const others = [...sections].filter(([header]) => !generatedHeaders.includes(header));
  return [
    '# BEGIN: written by the platform, and written anew whenever people, groups or settings change',
    ...generated.map((header) => blockOf(header, sections.get(header))),
    '# END: what follows is what the project says of other folders',
    ...others.map(([header, entries]) => blockOf(header, entries)),
  ].join('\n');
}

/** Until a text that Subversion rejects is corrected, members get in, to read. */
export function guardedAccess(generated: GeneratedAccess): Sections {
  const sections = generatedSections({ ...generated, hasDefaultPermissions: false });
  const members = generated.groups.has(membersGroup) ? [{ name: `@${membersGroup}`, value: 'r' }] : [];
  sections.set('/', [{ name: '*', value: '' }, ...members]);
  return sections;
}

/** Whom the names in a section stand for. */
class People {
  readonly #groups: ReadonlyMap<string, readonly string[]>;
  readonly #aliases: ReadonlyMap<string, string>;

  constructor(sections: Sections) {
    const listed = sections.get('groups') ?? [];
    this.#groups = new Map(listed.map(({ name, value }) => [name, namesIn(value)]));
    this.#aliases = new Map(
      (sections.get('aliases') ?? []).map(({ name, value }) => [name, value.trim().toLowerCase()]),
    );
  }

  includes(name: string, login: string): boolean {
    if (name.startsWith('~')) return !this.includes(name.slice(1), login);
    if (name === '*' || name === '$authenticated') return true;
    if (name === '$anonymous') return false;
    if (name.startsWith('&')) return this.#aliases.get(name.slice(1)) === login;
    if (!name.startsWith('@')) return name === login;
    return (this.#groups.get(name.slice(1)) ?? []).some((member) => this.includes(member, login));
  }
}

function* pathAndParents(path: string): Generator<string> {
  for (let at = path; at !== '' && at !== '/'; at = at.slice(0, at.lastIndexOf('/'))) yield at;
  yield '/';
}

/** The repository that a section is about, if it names one, and the path. Sections with patterns are none of these. */
function addressIn(header: string): { repository: string | undefined; path: string } | undefined {
  const [, repository, path] = /^(?:([^/:]+):)?(\/.*)$/.exec(header) ?? [];
  return path === undefined ? undefined : { repository, path };
}

/** Who may read what. Subversion decides the same way when it serves. */
export class AccessRules {
  readonly #people: People;
  /** By path, what holds in this repository: first what is said about it alone, then what is said about all. */
  readonly #rules = new Map<string, (readonly Entry[])[]>();
  readonly #verdicts = new Map<string, boolean | undefined>();
  /** Whether there are no sections that only Subversion itself can tell the meaning of. */
  readonly isPlain: boolean;

  constructor(sections: Sections, name: string) {
    this.#people = new People(sections);
    let isPlain = true;
    for (const [header, entries] of sections) {
      if (header === 'groups' || header === 'aliases') continue;
      const address = addressIn(header);
      if (address === undefined) isPlain = false;
      else if (address.repository === undefined) this.#at(address.path).push(entries);
      else if (address.repository === name) this.#at(address.path).unshift(entries);
    }
    this.isPlain = isPlain;
  }

  #at(path: string): (readonly Entry[])[] {
    const said = this.#rules.get(path) ?? [];
    this.#rules.set(path, said);
    return said;
  }

  /** What is said of one path itself; undefined where that says nothing about this person. */
  #verdictAt(login: string, path: string): boolean | undefined {
    const said = this.#rules.get(path);
    if (said === undefined) return undefined;
    const key = `${login}\n${path}`;
    if (!this.#verdicts.has(key)) this.#verdicts.set(key, this.#verdictOf(login, said));
    return this.#verdicts.get(key);
  }

  #verdictOf(login: string, said: readonly (readonly Entry[])[]): boolean | undefined {
    for (const entries of said) {
      const own = entries.filter(({ name }) => this.#people.includes(name, login));
      if (own.length > 0) return own.some(({ value }) => value.includes('r'));
    }
    return undefined;
  }

  /** The nearest folder that says something about this person decides; what it says in several lines is added up. */
  mayRead(login: string, path: string): boolean {
    if (!this.isPlain) return false;
    for (const at of pathAndParents(canonicalPath(path))) {
      const verdict = this.#verdictAt(login, at);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }

  /** Whether nothing is hidden of a path and of what lies below it. */
  mayReadBelow(login: string, path: string): boolean {
    const folder = canonicalPath(path);
    const start = folder === '/' ? '/' : `${folder}/`;
    return (
      this.mayRead(login, folder) &&
      [...this.#rules.keys()].every((at) => !at.startsWith(start) || this.mayRead(login, at))
    );
  }
}
