import { attributeOf, childrenOf, isTrue, listedIn, textOf, type XmlElement } from '../../kernel/xml.ts';
import type { ImportedService, ProjectAccess } from '../../projects/index.ts';
import { isServiceName } from '../../projects/index.ts';
import { checkedLinkType, type NamedPerson } from '../artifact-survey.ts';
import { archiveFault, type Warn } from '../model.ts';
import type { XmlStart } from '../xml-reader.ts';
import type { ArchivedUser } from './people.ts';

/** The files of an archive that its own words are in. */
export const projectFile = 'project.xml';
export const usersFile = 'users.xml';
export const userMapFile = 'user_map.csv';

export interface GroupDraft {
  readonly name: string;
  readonly description: string;
  readonly members: readonly NamedPerson[];
  readonly line: number;
}

export interface LinkTypeDraft {
  readonly shortname: string;
  readonly isUsed: boolean;
}

export interface RepositoryDraft {
  readonly name: string;
  /** The file of the archive with its history; empty for one without. */
  readonly dumpFile: string;
  readonly accessFile: string;
  readonly notifications: readonly { readonly path: string; readonly emails: readonly string[] }[];
  readonly references: readonly { readonly source: string; readonly target: string }[];
  readonly line: number;
}

/** All that an archive tells of its project, but for the trackers. */
export interface ProjectDraft {
  readonly shortname: string;
  readonly label: string;
  readonly description: string;
  readonly access: ProjectAccess;
  readonly icon: string;
  readonly longDescription: string;
  readonly banner: string | null;
  readonly services: readonly ImportedService[];
  readonly groups: readonly GroupDraft[];
  readonly isSynchronised: boolean;
  readonly linkTypes: readonly LinkTypeDraft[];
  readonly repositories: readonly RepositoryDraft[];
}

const accesses: readonly ProjectAccess[] = ['public', 'private', 'unrestricted', 'private-wo-restr'];

const fault = ({ line }: Pick<XmlElement, 'line'>, reason: string) => archiveFault(projectFile, line, reason);

function required(start: XmlStart, name: string): string {
  const value = start.attributes[name];
  if (value !== undefined) return value;
  throw fault(start, `The element ${start.name} lacks the attribute ${name}.`);
}

/** What the attributes of the root say. */
export function readRoot(root: XmlStart) {
  if (root.name !== 'project') throw fault(root, `It begins with ${root.name} where a project is expected.`);
  const access = accesses.find((known) => known === required(root, 'access'));
  if (access === undefined)
    throw fault(root, `The access ${root.attributes['access']} is none of ${accesses.join(', ')}.`);
  const label = required(root, 'full-name').trim();
  if (label === '') throw fault(root, 'The project has no name.');
  return {
    shortname: required(root, 'unix-name').trim(),
    label,
    description: required(root, 'description'),
    access,
    icon: root.attributes['icon-codepoint'] ?? '',
  };
}

function readTool(element: XmlElement, warn: Warn): ImportedService[] {
  const name = attributeOf(element, 'shortname') ?? '';
  const isEnabled = isTrue(attributeOf(element, 'enabled'));
  if (isServiceName(name)) return [{ name, isEnabled }];
  if (isEnabled)
    warn({
      code: 'skipped_element',
      place: `project/services/service[${name}], line ${element.line}`,
      text: `There is no service ${name} here.`,
    });
  return [];
}

const readLink = (element: XmlElement): ImportedService => ({
  name: '',
  isEnabled: isTrue(attributeOf(element, 'enabled')),
  link: {
    label: attributeOf(element, 'label') ?? '',
    description: attributeOf(element, 'description') ?? '',
    url: attributeOf(element, 'link') ?? '',
    opensInNewTab: isTrue(attributeOf(element, 'is_in_new_tab')),
  },
});

export function readServices(services: XmlElement, warn: Warn): ImportedService[] {
  return services.children.flatMap((element) => {
    if (element.name === 'service') return readTool(element, warn);
    return element.name === 'project-defined-service' ? [readLink(element)] : [];
  });
}

/** The first whose key an earlier one has. */
function firstRepeated<T>(things: readonly T[], keyOf: (thing: T) => string): T | undefined {
  const seen = new Set<string>();
  return things.find((thing) => {
    const isRepeated = seen.has(keyOf(thing));
    seen.add(keyOf(thing));
    return isRepeated;
  });
}

const memberFormats = ['username', 'ldap', 'id'];

function readMember(element: XmlElement): NamedPerson {
  const format = attributeOf(element, 'format') ?? 'username';
  if (!memberFormats.includes(format))
    throw fault(element, `A member must be given as ${memberFormats.join(', ')}, not as ${format}.`);
  return { format, value: element.text.trim(), line: element.line };
}

export function readGroups(
  ugroups: XmlElement,
  most = Number.POSITIVE_INFINITY,
): Pick<ProjectDraft, 'groups' | 'isSynchronised'> {
  const mode = attributeOf(ugroups, 'mode');
  if (mode !== undefined && mode !== 'synchronized') throw fault(ugroups, `There is no mode ${mode}.`);
  const groups = childrenOf(ugroups, 'ugroup').map((element): GroupDraft => {
    const name = (attributeOf(element, 'name') ?? '').trim();
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(name))
      throw fault(element, `"${name}" cannot be the name of a user group.`);
    return {
      name,
      description: attributeOf(element, 'description') ?? '',
      members: listedIn(element, 'members', 'member').map(readMember),
      line: element.line,
    };
  });
  if (groups.length > most) throw fault(ugroups, `There are more than ${most} user groups.`);
  const repeated = firstRepeated(groups, ({ name }) => name.toLowerCase());
  if (repeated !== undefined) throw fault(repeated, `The user group ${repeated.name} is there twice.`);
  return { groups, isSynchronised: mode === 'synchronized' };
}

export function readLinkTypes(natures: XmlElement): LinkTypeDraft[] {
  return childrenOf(natures, 'nature').flatMap((element) => {
    const shortname = element.text.trim();
    if (shortname === '') return [];
    checkedLinkType(projectFile, element.line, shortname);
    return [{ shortname, isUsed: isTrue(attributeOf(element, 'is_used'), true) }];
  });
}

function readRepository(element: XmlElement): RepositoryDraft {
  const name = attributeOf(element, 'name') ?? '';
  if (!/^[a-zA-Z][A-Za-z0-9_.-]{2,254}$/.test(name))
    throw fault(element, `"${name}" cannot be the name of a repository.`);
  return {
    name,
    dumpFile: attributeOf(element, 'dump-file') ?? '',
    accessFile: textOf(element, 'access-file'),
    notifications: childrenOf(element, 'notification').map((notification) => ({
      path: attributeOf(notification, 'path') ?? '',
      emails: (attributeOf(notification, 'emails') ?? '')
        .split(',')
        .map((email) => email.trim())
        .filter((email) => email !== ''),
    })),
    references: listedIn(element, 'references', 'reference').map((reference) => ({
      source: attributeOf(reference, 'source') ?? '',
      target: attributeOf(reference, 'target') ?? '',
    })),
    line: element.line,
  };
}

export function readRepositories(svn: XmlElement): RepositoryDraft[] {
  const repositories = childrenOf(svn, 'repository').map(readRepository);
  const repeated = firstRepeated(repositories, ({ name }) => name);
  if (repeated !== undefined) throw fault(repeated, `The repository ${repeated.name} is there twice.`);
  return repositories;
}

/** The people of `users.xml`. */
export function readUser(element: XmlElement): ArchivedUser {
  const text = (child: string) => textOf(element, child).trim();
  const username = text('username');
  if (username === '') throw archiveFault(usersFile, element.line, 'A user has no username.');
  return {
    id: text('id'),
    username,
    realName: text('realname'),
    email: text('email'),
    ldapId: text('ldapid'),
  };
}
