import { attributeOf, childrenOf, isTrue, listedIn, textOf, type XmlElement } from '../../kernel/xml.ts';
import type { AccessLevel, ImportedService } from '../../projects/index.ts';
import { isServiceAddress, isServiceName, longestServiceLabel } from '../../projects/index.ts';
import { checkedLinkType, type NamedPerson } from '../artifact-survey.ts';
import { archiveFault, placeWords, type Warn } from '../model.ts';
import { clipped } from '../words.ts';
import type { XmlStart } from '../xml-reader.ts';
import { projectFile, usersFile } from './file-names.ts';
import type { ArchivedUser } from './people.ts';

/** The files of an archive that its own words are in. */
export interface GroupDraft {
  readonly name: string;
  readonly description: string;
  readonly members: readonly NamedPerson[];
  readonly line: number;
}

export interface LinkTypeDraft {
  readonly shortname: string;
  readonly isUsed: boolean;
  readonly line: number;
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
  readonly access: AccessLevel;
  readonly icon: string;
  /** Where the project begins. */
  readonly line: number;
  readonly longDescription: string;
  readonly banner: string | null;
  readonly services: readonly ImportedService[];
  readonly groups: readonly GroupDraft[];
  readonly isSynchronised: boolean;
  readonly linkTypes: readonly LinkTypeDraft[];
  readonly repositories: readonly RepositoryDraft[];
}

const accesses: readonly AccessLevel[] = ['public', 'private', 'unrestricted', 'private-wo-restr'];

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
    line: root.line,
  };
}

/** Services of one project at the most. */
const mostServices = 200;

/** Tools of other platforms are kept as they are, so that an export has them again. */
function readTool(element: XmlElement, warn: Warn): ImportedService[] {
  const name = (attributeOf(element, 'shortname') ?? '').trim();
  const isEnabled = isTrue(attributeOf(element, 'enabled'));
  const place = `project/services/${placeWords('service', clipped(name))}`;
  const skip = (text: string): ImportedService[] => {
    warn({ code: 'skipped_element', place, line: element.line, text });
    return [];
  };
  if (name === '') return skip('A service has no short name.');
  if (!/^[A-Za-z0-9_.-]{1,255}$/.test(name)) return skip(`${JSON.stringify(clipped(name))} is no service.`);
  if (!isServiceName(name) && isEnabled)
    skip(`There is no service ${name} here: it is kept, and does nothing.`);
  return [{ name, isEnabled }];
}

function readLink(element: XmlElement, warn: Warn): ImportedService[] {
  const label = (attributeOf(element, 'label') ?? '').trim();
  const url = (attributeOf(element, 'link') ?? '').trim();
  const place = `project/services/${placeWords('project-defined-service', clipped(label))}`;
  if (label === '' || !isServiceAddress(url)) {
    const text = `${label === '' ? 'A link without a label' : `The link ${clipped(label)}`} was left out: it must have a label, and lead to a path or to an http or https address.`;
    warn({ code: 'invalid_value', place, line: element.line, text });
    return [];
  }
  if ([...label].length > longestServiceLabel)
    warn({
      ...{ code: 'invalid_value', place, line: element.line },
      text: `The label of a link was cut to its first ${longestServiceLabel} characters.`,
    });
  return [
    {
      name: '',
      isEnabled: isTrue(attributeOf(element, 'enabled')),
      link: {
        label: [...label].slice(0, longestServiceLabel).join(''),
        description: attributeOf(element, 'description') ?? '',
        url,
        opensInNewTab: isTrue(attributeOf(element, 'is_in_new_tab')),
      },
    },
  ];
}

export function readServices(parent: XmlElement, warn: Warn): ImportedService[] {
  const services = parent.children.flatMap((element) => {
    if (element.name === 'service') return readTool(element, warn);
    return element.name === 'project-defined-service' ? readLink(element, warn) : [];
  });
  if (services.length > mostServices) throw fault(parent, `There are more than ${mostServices} services.`);
  const tools = new Map(services.map((service) => [service.name, service]));
  // Of a tool that is named twice, the last one counts.
  return services.filter((service) => service.name === '' || tools.get(service.name) === service);
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

export function readArchivedGroups(
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
    return [{ shortname, isUsed: isTrue(attributeOf(element, 'is_used'), true), line: element.line }];
  });
}

/** One for each path, as everywhere; what names nobody, or no path, tells nobody anything. */
function readNotifications(repository: XmlElement): RepositoryDraft['notifications'] {
  const byPath = new Map<string, Set<string>>();
  for (const notification of childrenOf(repository, 'notification')) {
    const path = (attributeOf(notification, 'path') ?? '').trim();
    const emails = (attributeOf(notification, 'emails') ?? '').split(',').map((email) => email.trim());
    const known = byPath.get(path) ?? new Set();
    byPath.set(path, new Set([...known, ...emails.filter((email) => email !== '')]));
  }
  return [...byPath].flatMap(([path, emails]) =>
    path === '' || emails.size === 0 ? [] : { path, emails: [...emails] },
  );
}

function readRepository(element: XmlElement): RepositoryDraft {
  const name = attributeOf(element, 'name') ?? '';
  if (!/^[a-zA-Z][A-Za-z0-9_.-]{2,254}$/.test(name))
    throw fault(element, `"${name}" cannot be the name of a repository.`);
  return {
    name,
    dumpFile: attributeOf(element, 'dump-file') ?? '',
    accessFile: textOf(element, 'access-file'),
    notifications: readNotifications(element),
    references: listedIn(element, 'references', 'reference').map((reference) => ({
      source: attributeOf(reference, 'source') ?? '',
      target: attributeOf(reference, 'target') ?? '',
    })),
    line: element.line,
  };
}

export function readRepositories(svn: XmlElement): RepositoryDraft[] {
  const repositories = childrenOf(svn, 'repository').map(readRepository);
  const repeated = firstRepeated(repositories, ({ name }) => name.toLowerCase());
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
